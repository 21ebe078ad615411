import {
  type AttemptAccount,
  claimAttempt,
  openAccount,
  settleAttempt,
} from '@redrive/core/stored';
import type { JobAttempt } from '../job/attempt-log.ts';
import type { Job } from '../job/job.ts';
import { sampleAttempt, sampleJob } from './sample-job.ts';

const DIED_AT_MS = Date.UTC(2026, 0, 17, 5);
const ATTEMPTS = 8;

/** An event that found no messages eight times, as a job. */
export function deadJob(change: Partial<Job> = {}): Job {
  let account: AttemptAccount = openAccount();
  const attempts: JobAttempt[] = [];
  for (let number = 1; number <= ATTEMPTS; number++) {
    const last = number === ATTEMPTS;
    const delayMs = last ? undefined : 250 * 2 ** (number - 1);
    const startedAtMs = DIED_AT_MS - 250 * (2 ** (ATTEMPTS - 1) - 2 ** (number - 1)) - 20;
    const { input: _, ...attempt } = sampleAttempt({
      attempt: number,
      startedAtMs,
      durationMs: 20,
      delayBeforeMs: account.lastDelayMs,
      error: { type: 'DocumentNotFoundError', message: 'No messages found for 3 ids' },
      action: last ? 'give-up' : 'retry',
      reason: last ? 'max_attempts_exceeded' : 'retryable_error',
      delayMs,
      worker: 'worker:1',
      policyHash: 'a1b2c3',
      maxAttempts: ATTEMPTS,
    });
    attempts.push(attempt);
    account = settleAttempt(claimAttempt(account), 'failed', delayMs ?? 0);
  }
  return sampleJob({
    id: '0lq3x8k2a000abcd1234',
    handler: 'chunking.json_parsed',
    queue: 'events',
    tenant: 'acme',
    headers: { 'content-type': 'application/json', authorization: 'Bearer abc' },
    payload: {
      kind: 'json',
      text: '{"event_type":"JSONParsed","data":{"message_ids":["abc","def","ghi"],"token":"t0p"}}',
    },
    sessionId: '0lq3x8k2a000abcd1234',
    policyId: 'events.default',
    correlationId: 'order-7',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    idempotencyKey: 'chunking-abc-def-ghi',
    submittedAtMs: DIED_AT_MS - 32_000,
    state: 'dead',
    revision: 18,
    token: 16,
    account,
    generationAtMs: DIED_AT_MS - 32_000,
    deadlineMs: DIED_AT_MS + 1_768_000,
    retryCount: 7,
    errorClass: 'retryable',
    reason: 'max_attempts_exceeded',
    attempts: { kept: attempts, omitted: 0 },
    finishedAtMs: DIED_AT_MS,
    auditBlock: 42,
    ...change,
  });
}
