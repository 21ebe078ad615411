import type { AttemptAccount } from '@redrive/core';

/**
 * What of an account has no column of its own: succeeded, rate limited, interrupted, blocked and cancelled attempts, free
 * waits, their time, the last delay, attempts lost with their process, and since when nothing was charged. Zeros at the end are left out, and null stands for nothing but zeros, because
 * that is most accounts' whole story.
 */
export function accountText({
  entries,
  freeWaits,
  freeWaitMs,
  lastDelayMs,
  unchargedSinceMs,
}: AttemptAccount): string | null {
  const { succeeded, rate_limited, interrupted, blocked, cancelled, process_lost } = entries;
  const numbers = [
    succeeded,
    rate_limited,
    interrupted,
    blocked,
    cancelled,
    freeWaits,
    freeWaitMs,
    lastDelayMs,
    process_lost,
    unchargedSinceMs,
  ];
  while (numbers.at(-1) === 0) numbers.pop();
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

export function readAccount(columns: AccountColumns): AttemptAccount {
  const { generation, claims, executions, failed, leaseLost, text } = columns;
  const [
    succeeded = 0,
    rate_limited = 0,
    interrupted = 0,
    blocked = 0,
    cancelled = 0,
    freeWaits = 0,
    freeWaitMs = 0,
    lastDelayMs = 0,
    process_lost = 0,
    unchargedSinceMs = 0,
  ] = text === null ? [] : numbersIn(text);
  return {
    generation,
    claims,
    entries: {
      succeeded,
      failed,
      rate_limited,
      interrupted,
      blocked,
      cancelled,
      lease_lost: leaseLost,
      process_lost,
    },
    executions,
    freeWaits,
    freeWaitMs,
    lastDelayMs,
    unchargedSinceMs,
  };
}
