import type { ErrorClass, ReasonCode } from '@redrive/core';
import { type AttemptV1, toAttemptV1 } from '@redrive/core/records';
import type { AttemptEntry, Rung } from '@redrive/core/stored';
import type { JobAttempt } from '../job/attempt-log.ts';
import { type Job, rungOf } from '../job/job.ts';
import { recordsOf } from './records-of.ts';

/** A retry attempt, in the shape `attempt/v1`, with Redrive's own additions. Delays and durations are in seconds. */
export interface AttemptDocument
  extends Pick<AttemptV1, 'attempt_number' | 'timestamp' | 'delay' | 'duration' | 'success'> {
  readonly generation: number;
  /** Where on the ladder it ran. Attempts are numbered through over all rungs. */
  readonly rung: Rung;
  readonly error: NonNullable<AttemptV1['error']> | null;
  readonly error_class: ErrorClass | null;
  readonly action: JobAttempt['action'];
  readonly reason: ReasonCode;
  /** How it was entered into the account: what it cost. */
  readonly entry: AttemptEntry;
  /** The wait that followed. */
  readonly next_delay: number | null;
  readonly worker: string;
  /** `null`: of an attempt from before it was kept. */
  readonly policy_id: string | null;
  readonly policy_hash: string;
  readonly max_attempts: number;
}

/** The kept attempts of a job, the oldest first. */
export function attemptDocuments(job: Job): AttemptDocument[] {
  const rendered = recordsOf(job)
    .filter((record) => record.kind === 'attempt_ended')
    .map(toAttemptV1);
  // Every kept attempt has such a record.
  return job.attempts.kept.map((attempt, index) =>
    document(attempt, rendered[index] as AttemptV1, rungOf(job)),
  );
}

function document(kept: JobAttempt, rendered: AttemptV1, rung: Rung): AttemptDocument {
  const { attempt_number, timestamp, delay, duration, success, error } = rendered;
  return {
    attempt_number,
    generation: kept.generation,
    rung: kept.rung ?? rung,
    timestamp,
    delay,
    duration,
    success,
    error: error ?? null,
    error_class: kept.errorClass ?? null,
    action: kept.action,
    reason: kept.reason,
    entry: kept.entry,
    next_delay: success || kept.delayMs === undefined ? null : kept.delayMs / 1_000,
    worker: kept.worker,
    policy_id: kept.policyId ?? null,
    policy_hash: kept.policyHash,
    max_attempts: kept.maxAttempts,
  };
}
