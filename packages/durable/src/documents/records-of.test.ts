import { decide, definePolicy } from '@redrive/core';
import {
  toAttemptV1,
  toAuditV1,
  toEventV1,
  toSessionV1,
  validateRecord,
} from '@redrive/core/records';
import { describe, expect, it } from 'vitest';
import type { Job } from '../job/job.ts';
import { afterAttempts, SUBMITTED_MS, sampleAttempt, sampleJob } from '../testing/sample-job.ts';
import { recordsOf, sessionDocument } from './records-of.ts';

const second = sampleAttempt({
  attempt: 2,
  startedAtMs: SUBMITTED_MS + 63_500,
  delayBeforeMs: 60_000,
});
const success = sampleAttempt({
  ...second,
  entry: 'succeeded',
  action: 'succeed',
  reason: 'succeeded',
  errorClass: undefined,
  error: undefined,
  delayMs: 0,
  input: undefined,
});
const succeeded = afterAttempts(
  sampleJob({
    state: 'succeeded',
    reason: 'succeeded',
    finishedAtMs: SUBMITTED_MS + 66_000,
    policyId: 'browser_state_timeout',
    tenant: 'acme',
    correlationId: 'corr_1',
  }),
  [sampleAttempt(), success],
);
const dead = afterAttempts(
  sampleJob({
    state: 'dead',
    reason: 'max_attempts_exceeded',
    finishedAtMs: SUBMITTED_MS + 66_000,
  }),
  [sampleAttempt(), { ...second, action: 'give-up', reason: 'max_attempts_exceeded' }],
);

function events(job: Job) {
  let ids = 0;
  return recordsOf(job).flatMap((record) => {
    const event = toEventV1(record, { nextId: () => `evt_${++ids}`, component: 'worker' });
    return event === undefined ? [] : [event];
  });
}

describe('the records of a job', () => {
  it('are start and end of each attempt, and the end of the session', () => {
    expect(recordsOf(succeeded).map(({ kind, atMs }) => [kind, atMs - SUBMITTED_MS])).toEqual([
      ['attempt_started', 1_000],
      ['attempt_ended', 3_500],
      ['attempt_started', 63_500],
      ['attempt_ended', 66_000],
      ['session_ended', 66_000],
    ]);
  });

  it('say which subsystem, queue and generation it is of', () => {
    const contexts = recordsOf(succeeded).map(
      (record) => 'session' in record && record.session?.context,
    );
    expect(new Set(contexts.map((context) => JSON.stringify(context)))).toEqual(
      new Set(['{"subsystem":"browser","job_id":"job_1","queue":"default","generation":1}']),
    );
    expect(recordsOf(succeeded, { subsystem: 'web' })[0]).toMatchObject({
      session: { context: { subsystem: 'web' } },
    });
  });

  it('name the policy by what the store knows of its hash, by the job’s own name, or by the hash', () => {
    const idOf = (job: Job, policyId?: () => string | undefined) => {
      const [first] = recordsOf(job, { policyId });
      return first?.kind === 'attempt_started' && first.session.policyId;
    };
    expect(idOf(succeeded, () => 'known')).toBe('known');
    expect(idOf(succeeded, () => undefined)).toBe('browser_state_timeout');
    expect(idOf(dead)).toBe('hash-1');
  });

  it('hold decisions that decide makes again', () => {
    const policy = definePolicy({
      maxAttempts: 8,
      baseDelayMs: 60_000,
      maxDelayMs: 3_600_000,
      jitter: 'none',
    });
    for (const record of recordsOf(succeeded)) {
      if (record.kind === 'attempt_ended') {
        expect(decide({ ...record.input, policy })).toEqual(record.decision);
      }
    }
  });

  it('have no end while the job goes on', () => {
    const waiting = afterAttempts(sampleJob({ state: 'scheduled' }), [sampleAttempt()]);
    expect(recordsOf(waiting).map(({ kind }) => kind)).toEqual([
      'attempt_started',
      'attempt_ended',
    ]);
  });

  it('are an end alone for a job that was given up before its first attempt', () => {
    const late = sampleJob({
      state: 'dead',
      reason: 'ttl_exceeded',
      finishedAtMs: SUBMITTED_MS + 5,
    });
    expect(recordsOf(late)).toMatchObject([
      {
        kind: 'session_ended',
        reason: 'ttl_exceeded',
        totalAttempts: 0,
        startedAtMs: SUBMITTED_MS,
      },
    ]);
    expect(sessionDocument(late)).toBeUndefined();
    expect(recordsOf(late).map(toAuditV1)).toMatchObject([{ event_type: 'retry_exhausted' }]);
  });

  it('stay what they were when the job is purged', () => {
    const purged: Job = { ...succeeded, state: 'purged', purgedFrom: 'succeeded' };
    expect(recordsOf(purged)).toEqual(recordsOf(succeeded));
  });

  it('do not pass an error off as that of the attempt before when some are missing between', () => {
    const job = { ...dead, attempts: { ...dead.attempts, omitted: 7 } };
    const lastErrors = (one: Job) =>
      recordsOf(one).flatMap((record) =>
        record.kind === 'attempt_started' ? [record.lastError] : [],
      );
    expect(lastErrors(dead)).toEqual([
      undefined,
      { type: 'TimeoutError', message: 'took too long' },
    ]);
    expect(lastErrors(job)).toEqual([undefined, undefined]);
  });
});

describe('session, attempts and events of a job', () => {
  it('are a session, with all that its rules ask for', () => {
    const session = sessionDocument(succeeded);
    validateRecord('session', session);
    expect(session).toEqual({
      session_id: 'job_1',
      policy_id: 'browser_state_timeout',
      operation: 'browser.save_state',
      start_time: '2026-01-29T12:00:00.000Z',
      end_time: '2026-01-29T12:01:06.000Z',
      attempts: [
        {
          attempt_number: 1,
          timestamp: '2026-01-29T12:00:01.000Z',
          delay: 0,
          error: { type: 'TimeoutError', message: 'took too long' },
          success: false,
          duration: 2.5,
        },
        {
          attempt_number: 2,
          timestamp: '2026-01-29T12:01:03.500Z',
          delay: 60,
          success: true,
          duration: 2.5,
        },
      ],
      success: true,
      context: { subsystem: 'browser', job_id: 'job_1', queue: 'default', generation: 1 },
      total_attempts: 2,
      total_duration: 66,
      retry_count: 1,
      redrive: {
        schema_version: 'session/v1',
        policy_hash: 'hash-1',
        reason_code: 'succeeded',
        omitted_attempts: 0,
      },
    });
  });

  it('say how many attempts they leave out', () => {
    const attempts = Array.from({ length: 30 }, (_, index) =>
      sampleAttempt({ attempt: index + 1 }),
    );
    const session = sessionDocument(afterAttempts(sampleJob({ state: 'scheduled' }), attempts));
    validateRecord('session', session);
    expect(session?.attempts.map(({ attempt_number }) => attempt_number)).toEqual([
      1,
      ...Array.from({ length: 24 }, (_, index) => index + 7),
    ]);
    expect(session?.redrive.omitted_attempts).toBe(5);
  });

  it('are attempts and events', () => {
    const ended = recordsOf(dead).filter((record) => record.kind === 'attempt_ended');
    for (const record of ended) validateRecord('attempt', toAttemptV1(record));
    expect(toAttemptV1(ended[1] ?? expect.fail())).toMatchObject({
      context: { subsystem: 'browser' },
      redrive: { session_id: 'job_1', reason_code: 'max_attempts_exceeded' },
    });
    for (const event of [...events(dead), ...events(succeeded)]) validateRecord('event', event);
    expect(events(dead)).toMatchObject([
      { event_type: 'retry_attempt', attempt: 2, max_attempts: 8, delay: 60, component: 'worker' },
      { event_type: 'retry_failure', error: { type: 'TimeoutError' } },
    ]);
    expect(events(succeeded).map(({ event_type }) => event_type)).toEqual([
      'retry_attempt',
      'retry_success',
    ]);
  });

  it('are valid for every way in which an attempt can end', () => {
    const blocked = {
      entry: 'blocked',
      action: 'park',
      reason: 'breaker_open',
      error: undefined,
    } as const;
    const lost = {
      entry: 'lease_lost',
      reason: 'lease_lost',
      error: undefined,
      delayMs: 0,
    } as const;
    const attempts = [
      sampleAttempt(blocked),
      sampleAttempt(lost),
      sampleAttempt({ delayMs: undefined }),
    ];
    const job = afterAttempts(sampleJob({ state: 'scheduled' }), attempts);
    validateRecord('session', sessionDocument(job));
    for (const event of events(job)) validateRecord('event', event);
  });
});

describe('the audit events of a job', () => {
  it('are its failed attempts with the wait after them, and its end', () => {
    expect(recordsOf(dead).flatMap((record) => toAuditV1(record) ?? [])).toMatchObject([
      {
        event_type: 'retry_attempt',
        operation: 'browser.save_state',
        attempt_number: 1,
        max_attempts: 8,
        delay_seconds: 60,
        exception_type: 'TimeoutError',
        redrive: { reason_code: 'retryable_error' },
      },
      {
        event_type: 'retry_exhausted',
        total_attempts: 2,
        redrive: { reason_code: 'max_attempts_exceeded' },
      },
    ]);
  });

  it('carry tenant and correlation', () => {
    expect(toAuditV1(recordsOf(succeeded)[1] ?? expect.fail())).toMatchObject({
      tenant_id: 'acme',
      correlation_id: 'corr_1',
    });
  });
});

it('a session of core and one of a job have the same fields', () => {
  const session = toSessionV1(recordsOf(dead));
  expect(Object.keys(session ?? {})).toEqual([
    'session_id',
    'policy_id',
    'operation',
    'start_time',
    'end_time',
    'attempts',
    'final_error',
    'success',
    'context',
    'total_attempts',
    'total_duration',
    'retry_count',
    'redrive',
  ]);
});

it('names the version of decide that answered: the present one where none was kept', () => {
  const versions = (job: Job) =>
    recordsOf(job).flatMap((record) =>
      record.kind === 'attempt_ended' ? [record.decideVersion] : [],
    );
  expect(versions(dead)).toEqual([1, 1]);
  const newer = sampleAttempt({ decideVersion: 2 });
  expect(versions(afterAttempts(sampleJob(), [newer, second]))).toEqual([2, 1]);
});
