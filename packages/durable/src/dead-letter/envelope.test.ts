import { readFileSync } from 'node:fs';
import type { ReasonCode } from '@redrive/core';
import { expect, test } from 'vitest';
import { deadJob } from '../testing/dead-job.ts';
import { abandonedReason, DEAD_LETTER_LABELS, deadLetterOf } from './envelope.ts';

const golden: unknown = JSON.parse(
  readFileSync(new URL('./golden/dead-letter.json', import.meta.url), 'utf8'),
);

/** Word for word, in their order. */
const FIELDS = [
  'original_event',
  'idempotency_key',
  'attempt_count',
  'last_error',
  'error_type',
  'abandoned_reason',
  'service_name',
  'timestamp',
];

test('is the golden file, letter by letter', () => {
  const envelope = deadLetterOf(deadJob());
  expect(JSON.stringify(envelope, null, 2)).toBe(JSON.stringify(golden, null, 2));
});

test('has its eight fields first, and what is ours beside them', () => {
  expect(Object.keys(deadLetterOf(deadJob()))).toEqual([...FIELDS, 'redrive']);
});

test('has the values of the event that found no messages eight times', () => {
  expect(deadLetterOf(deadJob())).toMatchObject({
    idempotency_key: 'chunking-abc-def-ghi',
    attempt_count: 8,
    last_error: expect.stringMatching(/^DocumentNotFoundError: No messages found/),
    error_type: 'DocumentNotFoundError',
    abandoned_reason: 'max_attempts_exceeded',
    service_name: 'chunking',
    timestamp: '2026-01-17T05:00:00Z',
  });
});

test('the payload is shown redacted, in full or not at all', () => {
  const job = deadJob();
  const redacted = deadLetterOf(job);
  expect(redacted.original_event).toMatchObject({ data: { token: '[masked]' } });
  expect(redacted.redrive.headers).toMatchObject({ authorization: '[masked]' });
  const full = deadLetterOf(job, { payload: 'full' });
  expect(full.original_event).toMatchObject({ data: { token: 't0p' } });
  expect(full.redrive.headers).toEqual(job.headers);
  const none = deadLetterOf(job, { payload: 'none' });
  expect(none.original_event).toBeNull();
  expect(none.redrive.headers).toBeNull();
  expect(none.redrive.payload).toEqual({ shown: 'none', kind: 'json', bytes: 84 });
});

test('bytes are counted, and given as base64 in full', () => {
  const bytes = Uint8Array.of(0, 1, 2, 255);
  const job = deadJob({ payload: { kind: 'bytes', bytes } });
  expect(deadLetterOf(job).original_event).toEqual({ bytes: 4 });
  expect(deadLetterOf(job, { payload: 'full' })).toMatchObject({
    original_event: { base64: 'AAEC/w==' },
    redrive: { payload: { kind: 'bytes', bytes: 4 } },
  });
});

test('a job that died before any attempt has its reason for an error', () => {
  const job = deadJob({ reason: 'ttl_exceeded', attempts: { kept: [], omitted: 0 } });
  expect(deadLetterOf(job)).toMatchObject({
    last_error: 'ttl_exceeded',
    error_type: 'ttl_exceeded',
    abandoned_reason: 'ttl_exceeded',
    redrive: { policy: null, first_failed_at: null, attempts: [] },
  });
});

test('the error is that of the newest attempt that has one', () => {
  const job = deadJob();
  const { error: _error, ...last } = job.attempts.kept[7] ?? {};
  const kept = job.attempts.kept.with(7, {
    ...job.attempts.kept[7],
    ...last,
    error: undefined,
  } as never);
  expect(deadLetterOf({ ...job, attempts: { kept, omitted: 3 } })).toMatchObject({
    error_type: 'DocumentNotFoundError',
    redrive: { omitted_attempts: 3 },
  });
});

test('what is not there is null, and a session without a correlation is its own', () => {
  const { correlationId: _a, traceId: _b, deadlineMs: _c, errorClass: _d, ...rest } = deadJob();
  const { redrive } = deadLetterOf({ ...rest, tenant: '', policyId: undefined, reason: undefined });
  expect(redrive).toMatchObject({
    correlation_id: rest.sessionId,
    trace_id: null,
    deadline: null,
    error_class: null,
    reason_code: null,
    origin: { tenant: null },
    policy: { id: null },
  });
});

test.each<[ReasonCode | undefined, string, string]>([
  ['max_attempts_exceeded', 'max_attempts_exceeded', 'max_attempts'],
  ['allowance_exhausted', 'max_attempts_exceeded', 'max_attempts'],
  ['lease_lost', 'max_attempts_exceeded', 'max_attempts'],
  ['ttl_exceeded', 'ttl_exceeded', 'ttl_exceeded'],
  ['beyond_horizon', 'ttl_exceeded', 'ttl_exceeded'],
  ['final_error', 'non_retryable', 'non_retryable'],
  ['inner_gave_up', 'non_retryable', 'non_retryable'],
  ['policy_disabled', 'non_retryable', 'non_retryable'],
  ['effect_unknown', 'non_retryable', 'non_retryable'],
  ['effect_applied', 'non_retryable', 'non_retryable'],
  [undefined, 'non_retryable', 'non_retryable'],
])('%s is %s, and %s in metrics', (reason, abandoned, label) => {
  expect(abandonedReason(reason)).toBe(abandoned);
  expect(DEAD_LETTER_LABELS[abandonedReason(reason)]).toBe(label);
});

test('an id does not become another command', () => {
  const command = (id: string) => deadLetterOf(deadJob({ id })).redrive.send_back.command;
  expect(command('a-1.b:c_d')).toBe('redrive dlq requeue a-1.b:c_d');
  expect(command("x'; rm -rf /")).toBe(`redrive dlq requeue 'x'\\''; rm -rf /'`);
  expect(command('-f')).toBe("redrive dlq requeue -- '-f'");
});

test('seconds have no more digits than microseconds', () => {
  const job = deadJob();
  const kept = job.attempts.kept.map((attempt) => ({ ...attempt, durationMs: 0.36 }));
  const [first] = deadLetterOf({ ...job, attempts: { ...job.attempts, kept } }).redrive.attempts;
  expect(first?.duration).toBe(0.00036);
});
