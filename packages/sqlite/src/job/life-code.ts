import type { ErrorClass, ReasonCode } from '@redrive/core';
import { type AttemptAccount, openAccount } from '@redrive/core/stored';
import type { JobState } from '@redrive/durable';
import { accountCode } from '@redrive/durable/store';

const ACCOUNT = accountCode([
  'generation',
  'claims',
  'executions',
  'freeWaits',
  'freeWaitMs',
  'lastDelayMs',
  'succeeded',
  'failed',
  'rate_limited',
  'interrupted',
  'blocked',
  'cancelled',
  'lease_lost',
  'process_lost',
  'unchargedSinceMs',
  'clearedLosses',
]);

/**
 * The data of attempts that no statement searches: one text, written as a whole at the end of an attempt. NULL in the
 * row stands for a job without attempts.
 */
export interface StoredLife {
  /** As it was when no attempt ran: a claim does not write it, because it follows from the lease. */
  readonly account: AttemptAccount;
  readonly retryCount: number;
  readonly errorClass?: ErrorClass | undefined;
  readonly reason?: ReasonCode | undefined;
  readonly resultOmittedBytes?: number | undefined;
  readonly purgedFrom?: JobState | undefined;
  readonly purgedAtMs?: number | undefined;
  /** While it is dead, or purged and was dead. */
  readonly fingerprint?: string | undefined;
}

interface LifeCode extends Omit<StoredLife, 'account'> {
  readonly account: readonly number[];
}

const UNTRIED: StoredLife = Object.freeze({
  account: Object.freeze(openAccount()),
  retryCount: 0,
});

export function encodeLife(life: StoredLife): string {
  return JSON.stringify({ ...life, account: ACCOUNT.encode(life.account) });
}

/** Jobs that have been through the same have the same text, and come one after the other. Nobody changes a life. */
let last: { readonly text: string; readonly life: StoredLife } | undefined;

export function decodeLife(text: string | null): StoredLife {
  if (text === null) return UNTRIED;
  if (last?.text !== text) {
    // Written by encodeLife.
    const code = JSON.parse(text) as LifeCode;
    if (!Array.isArray(code.account)) throw new Error('its account is not a list');
    if (!code.account.every(Number.isFinite))
      throw new Error('its account is not a list of numbers');
    last = { text, life: { ...code, account: ACCOUNT.decode(code.account) } };
  }
  return last.life;
}
