import type { Rung } from '@redrive/core/stored';
import { type JobAttempt, numberedThrough } from '../job/attempt-log.ts';
import { type Job, rungOf } from '../job/job.ts';
import { iso } from './times.ts';

/**
 * The kept attempts of a job, the oldest first: each in the shape `attempt/v1`, with Redrive's own additions. Delays and
 * durations are in seconds.
 */
export function attemptDocuments(job: Job) {
  return job.attempts.kept.map((kept) => {
    const { next_delay, error, ...document } = attemptDocument(kept, rungOf(job));
    const success = kept.action === 'succeed';
    return {
      ...document,
      error: error && { ...error, stack_trace: kept.error?.stackTrace ?? null },
      success,
      action: kept.action,
      /** The wait that followed. */
      next_delay: success ? null : next_delay,
      worker: kept.worker,
      /** `true`: it was the probe of an open breaker, which is not charged if it fails. */
      probe: kept.input?.probe === true,
      /** `null`: of an attempt from before it was kept. */
      policy_id: kept.policyId ?? null,
      policy_hash: kept.policyHash,
      max_attempts: kept.maxAttempts,
    };
  });
}

/** The fields that every document of an attempt has. */
export function attemptDocument(attempt: JobAttempt, rung: Rung) {
  const { error, delayMs } = attempt;
  return {
    /** Over all rungs of the session. */
    attempt_number: numberedThrough(attempt),
    generation: attempt.generation,
    rung: attempt.rung ?? rung,
    timestamp: iso(attempt.startedAtMs),
    /** Before the attempt. */
    delay: seconds(attempt.delayBeforeMs),
    duration: seconds(attempt.durationMs),
    /** Its entry in the account: its cost. */
    entry: attempt.entry,
    error_class: attempt.errorClass ?? null,
    error: error ? { type: error.type, message: error.message } : null,
    reason: attempt.reason,
    /** After the attempt. */
    next_delay: delayMs === undefined ? null : seconds(delayMs),
  };
}

/** To the microsecond: a division alone leaves digits that were never measured. */
function seconds(durationMs: number): number {
  return Math.round(durationMs * 1_000) / 1_000_000;
}
