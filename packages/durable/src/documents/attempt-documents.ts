import { type AttemptV1, toAttemptV1 } from '@redrive/core/records';
import type { Rung } from '@redrive/core/stored';
import type { JobAttempt } from '../job/attempt-log.ts';
import { type Job, rungOf } from '../job/job.ts';
import { recordsOf } from './records-of.ts';

/**
 * The kept attempts of a job, the oldest first: each in the shape `attempt/v1`, with Redrive's own additions. Delays and
 * durations are in seconds.
 */
export function attemptDocuments(job: Job) {
  const rendered = recordsOf(job)
    .filter((record) => record.kind === 'attempt_ended')
    .map(toAttemptV1);
  // Every kept attempt has such a record.
  return job.attempts.kept.map((attempt, index) =>
    document(attempt, rendered[index] as AttemptV1, rungOf(job)),
  );
}

function document(kept: JobAttempt, rendered: AttemptV1, rung: Rung) {
  const { attempt_number, timestamp, delay, duration, success, error } = rendered;
  return {
    attempt_number,
    generation: kept.generation,
    /** Where on the ladder it ran. Attempts are numbered through over all rungs. */
    rung: kept.rung ?? rung,
    timestamp,
    delay,
    duration,
    success,
    error: error ? { ...error } : null,
    error_class: kept.errorClass ?? null,
    action: kept.action,
    reason: kept.reason,
    /** Its entry in the account: its cost. */
    entry: kept.entry,
    /** The wait that followed. */
    next_delay: success || kept.delayMs === undefined ? null : kept.delayMs / 1_000,
    worker: kept.worker,
    /** `null`: of an attempt from before it was kept. */
    policy_id: kept.policyId ?? null,
    policy_hash: kept.policyHash,
    max_attempts: kept.maxAttempts,
  };
}
