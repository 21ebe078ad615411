import { type AttemptAccount, openAccount } from '@redrive/core';

/** An attempt account as it is stored: its numbers in a fixed order, without the zeros at the end. */
export type AccountCode = readonly number[];

export function encodeAccount(account: AttemptAccount): AccountCode {
  const { entries } = account;
  const code = [
    account.generation,
    account.claims,
    account.executions,
    account.freeWaits,
    account.freeWaitMs,
    account.lastDelayMs,
    entries.succeeded,
    entries.failed,
    entries.rate_limited,
    entries.interrupted,
    entries.blocked,
    entries.cancelled,
    entries.lease_lost,
    entries.process_lost,
    account.unchargedSinceMs,
  ];
  while (code.at(-1) === 0) code.pop();
  return code;
}

export function decodeAccount(code: AccountCode): AttemptAccount {
  const at = (place: number): number => code[place] ?? 0;
  return {
    generation: at(0),
    claims: at(1),
    executions: at(2),
    freeWaits: at(3),
    freeWaitMs: at(4),
    lastDelayMs: at(5),
    entries: {
      succeeded: at(6),
      failed: at(7),
      rate_limited: at(8),
      interrupted: at(9),
      blocked: at(10),
      cancelled: at(11),
      lease_lost: at(12),
      process_lost: at(13),
    },
    unchargedSinceMs: at(14),
  };
}

/** The account of a job without attempts. */
export const OPEN_ACCOUNT: AttemptAccount = Object.freeze(openAccount());
