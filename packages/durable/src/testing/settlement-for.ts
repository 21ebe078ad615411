import { settleAttempt } from '@redrive/core';
import { addAttempt } from '../job/attempt-log.ts';
import type { Job } from '../job/job.ts';
import type { SettledState, Settlement } from '../job/settlement.ts';

/** The end of a leased job's attempt as somebody else would write it. */
export function settlementFor(job: Job, to: SettledState, dueInMs?: number): Settlement {
  const entry = to === 'succeeded' ? 'succeeded' : 'failed';
  return {
    id: job.id,
    token: job.token,
    by: 'held',
    to,
    dueInMs,
    account: settleAttempt(job.account, entry, dueInMs ?? 0),
    retryCount: job.retryCount,
    reason: to === 'succeeded' ? 'succeeded' : 'retryable_error',
    attempts: addAttempt(job.attempts, {
      generation: job.account.generation,
      attempt: job.account.claims,
      startedAtMs: job.lease?.sinceMs ?? 0,
      durationMs: 1,
      delayBeforeMs: 0,
      entry,
      action: to === 'succeeded' ? 'succeed' : 'retry',
      reason: to === 'succeeded' ? 'succeeded' : 'retryable_error',
      worker: 'somebody else',
      policyHash: job.lease?.policyHash ?? '',
      maxAttempts: 8,
    }),
    detail: '{}',
  };
}
