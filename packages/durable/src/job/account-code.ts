import type { AttemptAccount, AttemptEntry } from '@redrive/core/stored';

/** One number of an account: its own, or how often an attempt ended in one way. */
export type AccountNumber = Exclude<keyof AttemptAccount, 'entries'> | AttemptEntry;

/** How a store keeps accounts: as numbers in an order of its own, without the zeros at the end. */
export interface AccountCode {
  encode(account: AttemptAccount): number[];
  /** `columns`: the numbers that the store keeps beside them. */
  decode(
    numbers: readonly number[],
    columns?: { readonly [N in AccountNumber]?: number },
  ): AttemptAccount;
}

/** The order is never changed: stored accounts rely on it. A new number comes last. */
export function accountCode(order: readonly AccountNumber[]): AccountCode {
  const places = Object.fromEntries(order.map((name, place) => [name, place]));
  return {
    encode(account) {
      const { entries, ...own } = account;
      const all: Readonly<Record<AccountNumber, number>> = { ...own, ...entries };
      const numbers = order.map((name) => all[name]);
      while (numbers.at(-1) === 0) numbers.pop();
      return numbers;
    },

    decode(numbers, columns = {}) {
      const of = (name: AccountNumber): number =>
        columns[name] ?? numbers[places[name] ?? numbers.length] ?? 0;
      return {
        generation: of('generation'),
        claims: of('claims'),
        entries: {
          succeeded: of('succeeded'),
          failed: of('failed'),
          rate_limited: of('rate_limited'),
          interrupted: of('interrupted'),
          blocked: of('blocked'),
          cancelled: of('cancelled'),
          lease_lost: of('lease_lost'),
          process_lost: of('process_lost'),
        },
        executions: of('executions'),
        freeWaits: of('freeWaits'),
        freeWaitMs: of('freeWaitMs'),
        lastDelayMs: of('lastDelayMs'),
        unchargedSinceMs: of('unchargedSinceMs'),
      };
    },
  };
}
