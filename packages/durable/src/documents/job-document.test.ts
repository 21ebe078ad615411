import { describe, expect, it } from 'vitest';
import { summaryOf } from '../job/job-summary.ts';
import { afterAttempts, SUBMITTED_MS, sampleAttempt, sampleJob } from '../testing/sample-job.ts';
import { jobDocument, jobSummaryDocument } from './job-document.ts';

const scheduled = afterAttempts(
  sampleJob({
    state: 'scheduled',
    reason: 'retryable_error',
    errorClass: 'retryable',
    retryCount: 1,
    dueAtMs: SUBMITTED_MS + 63_500,
    deadlineMs: SUBMITTED_MS + 86_400_000,
    tenant: 'acme',
    tags: ['nightly'],
    uniqueKey: 'state-abc123',
    policyId: 'runs.default',
  }),
  [sampleAttempt()],
);

describe('the document of a job', () => {
  it('keeps each attempt in its place if one was given back before it started', () => {
    const job = afterAttempts(sampleJob(), [
      sampleAttempt({ startedAtMs: 0, entry: 'interrupted', error: undefined }),
      sampleAttempt({ attempt: 2 }),
    ]);
    const { attempts } = jobDocument(job);
    expect(
      attempts.map(({ attempt_number, entry, error }) => [attempt_number, entry, error]),
    ).toEqual([
      [1, 'interrupted', null],
      [2, 'failed', { type: 'TimeoutError', message: 'took too long', stack_trace: null }],
    ]);
  });

  it('has every field and every attempt', () => {
    expect(jobDocument(scheduled)).toEqual({
      id: 'job_1',
      handler: 'browser.save_state',
      subsystem: 'browser',
      state: 'scheduled',
      queue: 'default',
      tenant: 'acme',
      priority: 0,
      tags: ['nightly'],
      retry_count: 1,
      next_retry_at: '2026-01-29T12:01:03.500Z',
      error_class: 'retryable',
      reason: 'retryable_error',
      cause: null,
      submitted_at: '2026-01-29T12:00:00.000Z',
      submitted_date: '2026-01-29T12:00:00.000Z',
      deadline: '2026-01-30T12:00:00.000Z',
      finished_at: null,
      generation: 1,
      attempts_made: 1,
      worker: null,
      cancel_requested: false,
      session_id: 'job_1',
      correlation_id: 'job_1',
      policy: 'runs.default',
      own_policy: 'runs.default',
      executions: 1,
      charged: 1,
      losses: 0,
      batch: null,
      own_max_attempts: null,
      parent_id: null,
      on_dead: null,
      leads_to: { count: 0, ids: [] },
      unique_key: 'state-abc123',
      last_error: { type: 'TimeoutError', message: 'took too long' },
      account: {
        succeeded: 0,
        failed: 1,
        rate_limited: 0,
        interrupted: 0,
        blocked: 0,
        cancelled: 0,
        lease_lost: 0,
        process_lost: 0,
      },
      attempts: [
        {
          attempt_number: 1,
          generation: 1,
          rung: 'job',
          timestamp: '2026-01-29T12:00:01.000Z',
          delay: 0,
          duration: 2.5,
          success: false,
          error: { type: 'TimeoutError', message: 'took too long', stack_trace: null },
          error_class: 'retryable',
          action: 'retry',
          reason: 'retryable_error',
          entry: 'failed',
          next_delay: 60,
          worker: 'worker-1',
          probe: false,
          policy_id: null,
          policy_hash: 'hash-1',
          max_attempts: 8,
        },
      ],
      omitted_attempts: 0,
      lease: null,
      origin: null,
      trace_id: null,
      idempotency_key: 'job_1',
      limit_key: null,
      policy_hash: 'hash-1',
      max_attempts: 8,
      revision: 1,
      token: 0,
      headers: {},
      payload: { state_id: 'abc123' },
      result: null,
      result_omitted_bytes: null,
    });
  });

  it('has the same keys in every state, so that scripts can rely on them', () => {
    const jobs = [
      sampleJob(),
      sampleJob({ state: 'parked', cause: 'breaker_open', dueAtMs: SUBMITTED_MS }),
      sampleJob({
        state: 'leased',
        token: 1,
        lease: {
          worker: 'w',
          sinceMs: SUBMITTED_MS,
          untilMs: SUBMITTED_MS + 1,
          policyHash: 'h',
          alone: false,
        },
      }),
      sampleJob({ state: 'succeeded', result: '1', finishedAtMs: SUBMITTED_MS }),
    ];
    for (const job of jobs) {
      expect(Object.keys(jobDocument(job))).toEqual(Object.keys(jobDocument(scheduled)));
      expect(JSON.stringify(jobDocument(job))).not.toContain('undefined');
      expect(Object.values(jobDocument(job))).not.toContain(undefined);
    }
    expect(jobDocument(jobs[1] ?? expect.fail())).toMatchObject({ cause: 'breaker_open' });
    expect(jobDocument(jobs[2] ?? expect.fail())).toMatchObject({
      worker: 'w',
      policy_hash: 'h',
      lease: { worker: 'w', since: '2026-01-29T12:00:00.000Z', until: '2026-01-29T12:00:00.001Z' },
    });
    expect(jobDocument(jobs[3] ?? expect.fail())).toMatchObject({
      result: 1,
      finished_at: '2026-01-29T12:00:00.000Z',
    });
  });

  it('has no wait after an attempt that was the last', () => {
    const attempt = sampleAttempt({ action: 'give-up', reason: 'final_error', delayMs: undefined });
    const { attempts } = jobDocument(afterAttempts(sampleJob({ state: 'dead' }), [attempt]));
    expect(attempts).toMatchObject([{ next_delay: null, reason: 'final_error' }]);
  });
});

describe('payload, result and headers', () => {
  const job = sampleJob({
    state: 'succeeded',
    payload: { kind: 'json', text: '{"password":"hunter2","n":1}' },
    headers: { authorization: 'Bearer abcdef', 'x-request': '7' },
    result: '{"token":"s3cret","ok":true}',
  });

  it('have their secrets masked', () => {
    expect(jobDocument(job)).toMatchObject({
      payload: { password: '[masked]', n: 1 },
      headers: { authorization: '[masked]', 'x-request': '7' },
      result: { token: '[masked]', ok: true },
    });
  });

  it('are there in full when asked for', () => {
    expect(jobDocument(job, { values: 'full' })).toMatchObject({
      payload: { password: 'hunter2', n: 1 },
      headers: { authorization: 'Bearer abcdef' },
      result: { token: 's3cret', ok: true },
    });
  });

  it('are left out when not wanted', () => {
    expect(jobDocument(job, { values: 'none' })).toMatchObject({
      payload: null,
      headers: null,
      result: null,
    });
  });

  it('may be bytes, or nothing', () => {
    const bytes = sampleJob({ payload: { kind: 'bytes', bytes: Uint8Array.of(1, 2, 255) } });
    expect(jobDocument(bytes).payload).toEqual({ bytes: 3 });
    expect(jobDocument(bytes, { values: 'full' }).payload).toEqual({ base64: 'AQL/' });
    expect(jobDocument(bytes, { values: 'none' }).payload).toBeNull();
    expect(jobDocument(sampleJob({ payload: { kind: 'json', text: '' } })).payload).toBeNull();
  });
});

describe('a line of a list', () => {
  it('is the beginning of the document', () => {
    const summary = jobSummaryDocument(summaryOf(scheduled));
    expect(jobDocument(scheduled)).toMatchObject(summary);
    expect(Object.keys(jobDocument(scheduled)).slice(0, Object.keys(summary).length)).toEqual(
      Object.keys(summary),
    );
  });

  it('has null for no tenant and no error', () => {
    expect(jobSummaryDocument(summaryOf(sampleJob()))).toMatchObject({
      tenant: null,
      last_error: null,
    });
  });
});
