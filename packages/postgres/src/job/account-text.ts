import type { AttemptAccount } from '@redrive/core/stored';
import { accountCode } from '@redrive/durable/store';

/** The numbers of an account that have no column of their own. */
const CODE = accountCode([
  'succeeded',
  'rate_limited',
  'interrupted',
  'blocked',
  'cancelled',
  'freeWaits',
  'freeWaitMs',
  'lastDelayMs',
  'process_lost',
  'unchargedSinceMs',
  'clearedLosses',
]);

/** As a text. Null stands for nothing but zeros, because most accounts have no other numbers. */
export function accountText(account: AttemptAccount): string | null {
  const numbers = CODE.encode(account);
  return numbers.length === 0 ? null : numbers.join(',');
}

/** The columns of an account. */
export interface AccountColumns {
  readonly generation: number;
  readonly claims: number;
  readonly executions: number;
  readonly failed: number;
  readonly leaseLost: number;
  readonly text: string | null;
}

/** @throws Error for a text that is not a list of numbers. */
export function numbersIn(text: string): number[] {
  const numbers = text.split(',').map(Number);
  if (!numbers.every(Number.isFinite)) throw new Error('it is not a list of numbers');
  return numbers;
}

export function readAccount({ text, leaseLost, ...columns }: AccountColumns): AttemptAccount {
  return CODE.decode(text === null ? [] : numbersIn(text), { ...columns, lease_lost: leaseLost });
}
