import { claimAttempt, openAccount, settleAttempt } from '@redrive/core/stored';
import { successInput } from '../documents/records-of.ts';
import { addAttempt, type JobAttempt, NO_ATTEMPTS } from '../job/attempt-log.ts';
import type { Job } from '../job/job.ts';

export const SUBMITTED_MS = Date.parse('2026-01-29T12:00:00Z');

/** A job that has just been submitted, with the fields of the test. */
export function sampleJob(some: Partial<Job> = {}): Job {
  return {
    id: 'job_1',
    handler: 'browser.save_state',
    queue: 'default',
    tenant: '',
    priority: 0,
    tags: [],
    headers: {},
    payload: { kind: 'json', text: '{"state_id":"abc123"}' },
    sessionId: 'job_1',
    idempotencyKey: 'job_1',
    submittedAtMs: SUBMITTED_MS,
    state: 'ready',
    revision: 1,
    token: 0,
    account: openAccount(),
    generationAtMs: SUBMITTED_MS,
    cancelRequested: false,
    retryCount: 0,
    attempts: NO_ATTEMPTS,
    auditBlock: 1,
    ...some,
  };
}

/** A failed attempt that is followed by a retry, with the fields of the test. */
export function sampleAttempt(some: Partial<JobAttempt> = {}): JobAttempt {
  return {
    generation: 1,
    attempt: 1,
    startedAtMs: SUBMITTED_MS + 1_000,
    durationMs: 2_500,
    delayBeforeMs: 0,
    entry: 'failed',
    errorClass: 'retryable',
    error: { type: 'TimeoutError', message: 'took too long' },
    action: 'retry',
    reason: 'retryable_error',
    delayMs: 60_000,
    worker: 'worker-1',
    policyHash: 'hash-1',
    maxAttempts: 8,
    input: {
      ...successInput('job'),
      outcome: { kind: 'failure', errorClass: 'retryable', effect: 'unknown' },
      random: 0.5,
    },
    ...some,
  };
}

/** The job after these attempts: log and account. */
export function afterAttempts(job: Job, attempts: readonly JobAttempt[]): Job {
  let after = job;
  for (const attempt of attempts) {
    const account = settleAttempt(claimAttempt(after.account), attempt.entry, attempt.delayMs ?? 0);
    after = { ...after, account, attempts: addAttempt(after.attempts, attempt) };
  }
  return after;
}
