import {
  circuitBreaker,
  memoryLedger,
  type Policy,
  type RetryOptions,
  type RetryRecord,
  retry,
  syncSink,
} from '@redrive/core';
import { DECIDE_VERSION } from '@redrive/core/stored';
import { settle, virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';

const START = Date.parse('2026-01-29T12:00:00Z');
const steady: Policy = { id: 'orders', backoff: 'fixed', baseDelayMs: 100, jitter: 'none' };

/** A call with a sink, and what that heard, each record without its session. */
function setUp(options: RetryOptions = {}) {
  const clock = virtualClock({ startMs: START });
  const records: RetryRecord[] = [];
  const events = syncSink((record) => records.push(record));
  const told = () => records.map(({ session: _, ...record }) => record);
  return { clock, records, told, options: { clock, events, ...options } };
}

const flaky =
  (failures: number) =>
  async ({ attempt }: { attempt: number }) => {
    if (attempt <= failures) throw new Error(`down ${attempt}`);
    return 'up';
  };
const error = (attempt: number) => ({ type: 'Error', message: `down ${attempt}` });
const retryAfter100 = { action: 'retry', reason: 'retryable_error', delayMs: 100 };

describe('the records of a session', () => {
  it('tell of a success at the first try', async () => {
    const { told, options } = setUp();
    await retry(flaky(0), steady, options);
    expect(told()).toMatchObject([
      { kind: 'attempt_started', atMs: START, attempt: 1, delayMs: 0, lastError: undefined },
      {
        kind: 'attempt_ended',
        attempt: 1,
        startedAtMs: START,
        durationMs: 0,
        delayBeforeMs: 0,
        success: true,
        decision: { action: 'succeed', reason: 'succeeded' },
        decideVersion: DECIDE_VERSION,
      },
      {
        kind: 'session_ended',
        startedAtMs: START,
        totalAttempts: 1,
        success: true,
        reason: 'succeeded',
        error: undefined,
      },
    ]);
  });

  it('tell of two failures and a success', async () => {
    const { clock, told, options } = setUp();
    const call = retry(flaky(2), steady, options);
    await clock.runAll();
    await call;
    expect(told()).toMatchObject([
      { kind: 'attempt_started', attempt: 1, atMs: START },
      {
        kind: 'attempt_ended',
        attempt: 1,
        success: false,
        error: error(1),
        decision: retryAfter100,
      },
      { kind: 'attempt_started', attempt: 2, atMs: START + 100, delayMs: 100, lastError: error(1) },
      {
        kind: 'attempt_ended',
        attempt: 2,
        startedAtMs: START + 100,
        delayBeforeMs: 100,
        error: error(2),
        decision: retryAfter100,
      },
      { kind: 'attempt_started', attempt: 3, atMs: START + 200, delayMs: 100, lastError: error(2) },
      { kind: 'attempt_ended', attempt: 3, success: true },
      {
        kind: 'session_ended',
        totalAttempts: 3,
        success: true,
        atMs: START + 200,
        startedAtMs: START,
      },
    ]);
  });

  it('tell how long an attempt took, by the monotonic clock', async () => {
    const { clock, told, options } = setUp();
    const slow = () => new Promise<void>((resolve) => void clock.setTimer(40, resolve));
    const call = retry(slow, steady, options);
    clock.setWall(START - 1_000);
    await clock.runAll();
    await call;
    expect(told()[1]).toMatchObject({ durationMs: 40, startedAtMs: START, atMs: START - 960 });
  });

  it('tell of giving up', async () => {
    const { clock, told, options } = setUp();
    const call = retry(flaky(9), { ...steady, maxAttempts: 2 }, options).catch(() => {});
    await Promise.all([call, clock.runAll()]);
    expect(told().map(({ kind }) => kind)).toEqual([
      'attempt_started',
      'attempt_ended',
      'attempt_started',
      'attempt_ended',
      'session_ended',
    ]);
    expect(told().slice(-2)).toMatchObject([
      { success: false, decision: { action: 'give-up', reason: 'max_attempts_exceeded' } },
      { totalAttempts: 2, success: false, reason: 'max_attempts_exceeded', error: error(2) },
    ]);
  });

  it('tell of a final error', async () => {
    const { told, options } = setUp();
    await retry(() => Promise.reject(new TypeError('no')), steady, options).catch(() => {});
    expect(told().slice(1)).toMatchObject([
      { kind: 'attempt_ended', decision: { action: 'give-up', reason: 'final_error' } },
      { kind: 'session_ended', reason: 'final_error', error: { type: 'TypeError', message: 'no' } },
    ]);
  });

  it('tell of an abort in a wait, once', async () => {
    const controller = new AbortController();
    const { clock, told, options } = setUp({ signal: controller.signal });
    const call = retry(flaky(9), steady, options).catch(() => {});
    await clock.advance(50);
    controller.abort(new Error('user left'));
    await call;
    await settle();
    expect(told()).toMatchObject([
      { kind: 'attempt_started' },
      { kind: 'attempt_ended', decision: retryAfter100 },
      {
        kind: 'session_ended',
        atMs: START + 50,
        totalAttempts: 1,
        success: false,
        reason: 'cancelled',
        error: { message: 'user left' },
      },
    ]);
  });

  it('tell of an abort in an attempt, once', async () => {
    const controller = new AbortController();
    const { told, options } = setUp({ signal: controller.signal });
    const call = retry(() => new Promise(() => {}), steady, options).catch(() => {});
    controller.abort(new Error('user left'));
    await call;
    await settle();
    expect(told().slice(1)).toMatchObject([
      { kind: 'attempt_ended', success: false, decision: { reason: 'cancelled' } },
      { kind: 'session_ended', reason: 'cancelled', error: { message: 'user left' } },
    ]);
  });

  it('tell of a refusal by the breaker, which is no error', async () => {
    const { clock, told, options } = setUp();
    const breaker = circuitBreaker({ clock });
    breaker.isolate();
    await retry(flaky(0), steady, { ...options, breaker }).catch(() => {});
    const ended = told().at(-1);
    expect(ended).toMatchObject({
      kind: 'session_ended',
      reason: 'breaker_open',
      totalAttempts: 0,
    });
    expect(ended).toMatchObject({ error: undefined });
  });

  it('do not tell what was returned, also where it is a failure', async () => {
    const { records, told, options } = setUp();
    const classifyResult = () => ({ errorClass: 'final', effect: 'none' }) as const;
    await retry(() => 'secret', { ...steady, classifyResult }, options);
    expect(told().slice(1)).toMatchObject([
      { kind: 'attempt_ended', success: false, error: undefined },
      { kind: 'session_ended', success: false, reason: 'final_error', error: undefined },
    ]);
    expect(JSON.stringify(records)).not.toContain('secret');
  });

  it('have a wrong answer of classifyResult as a final error whose effect is unknown', async () => {
    const { records, told, options } = setUp();
    const classifyResult = () => true as unknown as undefined; // Plain JavaScript may answer anything.
    const call = retry(() => 'secret', { ...steady, classifyResult }, options);
    await expect(call).rejects.toMatchObject({ code: 'invalid_policy', cause: 'secret' });
    const error = { type: 'RedriveError', message: expect.stringContaining('classifyResult') };
    expect(told().slice(1)).toMatchObject([
      {
        kind: 'attempt_ended',
        success: false,
        error,
        input: { outcome: { errorClass: 'final', effect: 'unknown' } },
      },
      { kind: 'session_ended', success: false, reason: 'final_error', error },
    ]);
    expect(JSON.stringify(records)).not.toContain('secret');
  });

  it('tell of the ledger: one result recorded, one found', async () => {
    const { clock, told, options } = setUp({ idempotencyKey: 'order-7' });
    const ledger = memoryLedger({ clock });
    await retry(flaky(0), steady, { ...options, ledger });
    await retry(flaky(0), steady, { ...options, ledger });
    expect(told()).toMatchObject([
      { kind: 'attempt_started' },
      { kind: 'attempt_ended' },
      { kind: 'session_ended' },
      { kind: 'idempotency', key: 'order-7', action: 'record', atMs: START },
      { kind: 'idempotency', key: 'order-7', action: 'hit' },
    ]);
  });
});

describe('what all records say of their session', () => {
  it('is what the call and its policy said', async () => {
    const { records, options } = setUp({
      sessionId: 'session-1',
      operation: 'order.send',
      category: 'RETRY_API_REQUEST',
      tenantId: 'tenant-1',
      correlationId: 'correlation-1',
      traceId: 'trace-1',
      context: { order: 7, password: 'hunter2' },
      budget: false,
    });
    await retry(flaky(0), { ...steady, dependency: 'records-test' }, options);
    const { session } = records[0] ?? {};
    expect(session).toEqual({
      sessionId: 'session-1',
      policyId: 'orders',
      policyHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      operation: 'order.send',
      maxAttempts: 3,
      category: 'RETRY_API_REQUEST',
      dependency: 'records-test',
      tenantId: 'tenant-1',
      correlationId: 'correlation-1',
      traceId: 'trace-1',
      context: { order: 7, password: expect.not.stringContaining('hunter2') },
    });
    expect(new Set(records.map((record) => record.session)).size).toBe(1);
  });

  it('is an id and the names of the policy where the call said nothing', async () => {
    const { records, options } = setUp();
    await retry(({ sessionId }) => sessionId, steady, options).then((sessionId) => {
      expect(records[0]?.session).toMatchObject({ sessionId, operation: 'orders' });
      expect(records[0]?.session).toMatchObject({ dependency: undefined, context: undefined });
    });
  });
});
