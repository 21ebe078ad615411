import {
  circuitBreaker,
  circuitBreakers,
  isRetryError,
  memoryLedger,
  type Policy,
  pipeline,
  type RetryRecord,
  retryBudget,
  syncSink,
} from '@redrive/core';
import { settle, virtualClock } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';

const atOnce = { backoff: 'immediate' } as const;
const down = () => Promise.reject(new Error('down'));
const silent = (call: Promise<unknown>) => call.catch((error: unknown) => error);

describe('a pipeline', () => {
  it('runs an operation under its policy, as often as it is asked', async () => {
    const calls = pipeline({ policy: atOnce });
    const operation = vi.fn(({ attempt }: { attempt: number }) => (attempt < 3 ? down() : 'up'));
    expect(await calls.run(operation)).toBe('up');
    expect(await calls.run(operation)).toBe('up');
    expect(operation).toHaveBeenCalledTimes(6);
    expect(calls.policy).toMatchObject({ backoff: 'immediate', maxAttempts: 3 });
  });

  it('has the default policy where none is given', async () => {
    expect(pipeline().policy.maxAttempts).toBe(3);
    expect(await pipeline().run(() => 'up')).toBe('up');
  });

  it('refuses a wrong policy when it is built', () => {
    expect(() => pipeline({ policy: { maxAttempts: Number.NaN } })).toThrow('maxAttempts');
  });

  it('takes what belongs to one call', async () => {
    const options = { idempotencyKey: 'order-7', sessionId: 'session-1' };
    const seen = await pipeline().run(
      ({ idempotencyKey, sessionId }) => [idempotencyKey, sessionId],
      options,
    );
    expect(seen).toEqual(['order-7', 'session-1']);
  });
});

describe('what all calls of a pipeline share', () => {
  it('is its operation, sink, ledger, budget and clock', async () => {
    const clock = virtualClock({ startMs: 5_000 });
    const records: RetryRecord[] = [];
    const calls = pipeline({
      policy: { backoff: 'fixed', baseDelayMs: 100, jitter: 'none' },
      operation: 'order.send',
      events: syncSink((record) => records.push(record)),
      ledger: memoryLedger({ clock }),
      budget: retryBudget({ clock, burst: 1, floorPerSecond: 0 }),
      clock,
    });
    const operation = vi.fn(down);
    const call = silent(calls.run(operation, { idempotencyKey: 'order-7' }));
    await clock.runAll();
    expect(await call).toMatchObject({ reason: 'budget_exhausted', operation: 'order.send' });
    expect(operation).toHaveBeenCalledTimes(2);
    expect(records[0]).toMatchObject({ atMs: 5_000, session: { operation: 'order.send' } });
    const again = vi.fn(() => 'up');
    expect(await calls.run(again, { idempotencyKey: 'order-7' })).toBe('up');
    expect(await calls.run(again, { idempotencyKey: 'order-7' })).toBe('up');
    expect(again).toHaveBeenCalledTimes(1);
  });

  it('gives way to what a call says for itself', async () => {
    const calls = pipeline({ policy: { maxAttempts: 1 }, operation: 'order.send' });
    const call = calls.run(down, { operation: 'order.cancel' });
    await expect(call).rejects.toMatchObject({ operation: 'order.cancel' });
  });

  it('is the clock of the deadline too', async () => {
    const clock = virtualClock();
    const fallback = () => new Promise<never>(() => {});
    const calls = pipeline({ policy: { ttlMs: 1_000, maxAttempts: 1 }, fallback, clock });
    const ended = silent(calls.run(down)).then(() => clock.monotonic());
    await clock.runAll();
    expect(await ended).toBeGreaterThanOrEqual(1_000);
    expect(await ended).toBeLessThanOrEqual(1_000 + 1_000 / 64);
  });
});

describe('its fallback', () => {
  it('answers instead of an error, and is told which', async () => {
    const fallback = vi.fn(() => 'queued');
    const calls = pipeline({ policy: atOnce, fallback });
    expect(await calls.run(() => 'up')).toBe('up');
    expect(fallback).not.toHaveBeenCalled();
    expect(await calls.run(down)).toBe('queued');
    const final = new TypeError('no');
    expect(await calls.run(() => Promise.reject(final))).toBe('queued');
    const [[first], [second]] = fallback.mock.calls as unknown[][] as [[unknown], [unknown]];
    expect(isRetryError(first, 'max_attempts_exceeded')).toBe(true);
    expect(second).toBe(final);
  });

  it('may take its time, and fail with an error of its own', async () => {
    const later = pipeline({ policy: atOnce, fallback: () => settle().then(() => 'later') });
    expect(await later.run(down)).toBe('later');
    const own = new Error('fallback is down');
    for (const fallback of [() => Promise.reject(own), () => expect.fail('fallback is down')]) {
      const calls = vi.fn(fallback);
      await expect(pipeline({ policy: atOnce, fallback: calls }).run(down)).rejects.toThrow(
        'fallback is down',
      );
      expect(calls).toHaveBeenCalledTimes(1);
    }
  });

  it('does not answer when the caller aborts: in an attempt, in a wait, before', async () => {
    const fallback = vi.fn(() => 'queued');
    const calls = pipeline({ fallback });
    const clock = virtualClock();
    for (const operation of [() => new Promise(() => {}), down]) {
      const controller = new AbortController();
      const call = silent(calls.run(operation, { clock, signal: controller.signal }));
      await settle();
      controller.abort('user left');
      expect(await call).toBe('user left');
    }
    expect(await silent(calls.run(down, { signal: AbortSignal.abort('before') }))).toBe('before');
    expect(fallback).not.toHaveBeenCalled();
  });

  it('is ended by the caller’s abort', async () => {
    const controller = new AbortController();
    const calls = pipeline({ policy: { maxAttempts: 1 }, fallback: () => new Promise(() => {}) });
    const call = silent(calls.run(down, { signal: controller.signal }));
    await settle();
    controller.abort('user left');
    expect(await call).toBe('user left');
  });
});

describe('its breaker', () => {
  const policy = (fields: Policy): Policy => ({
    ...atOnce,
    maxAttempts: 1,
    enableCircuitBreaker: true,
    circuitBreakerThreshold: 1,
    ...fields,
  });

  it('is there where the policy enables it, by dependency', async () => {
    const breakers = circuitBreakers();
    const one = pipeline({ policy: policy({ id: 'one', dependency: 'payments' }), breakers });
    const two = pipeline({ policy: policy({ id: 'two', dependency: 'payments' }), breakers });
    const other = pipeline({ policy: policy({ id: 'one', dependency: 'orders' }), breakers });
    await silent(one.run(down));
    expect(await silent(two.run(() => 'up'))).toMatchObject({ reason: 'breaker_open' });
    expect(await other.run(() => 'up')).toBe('up');
  });

  it('is by policy id where no dependency is named', async () => {
    const breakers = circuitBreakers();
    await silent(pipeline({ policy: policy({ id: 'one' }), breakers }).run(down));
    const refused = await silent(
      pipeline({ policy: policy({ id: 'one' }), breakers }).run(() => 'up'),
    );
    expect(refused).toMatchObject({ reason: 'breaker_open' });
    expect(await pipeline({ policy: policy({ id: 'two' }), breakers }).run(() => 'up')).toBe('up');
  });

  it('is shared by all pipelines of the process, unless they have their own registry', async () => {
    const named = policy({ dependency: 'pipeline-test/shared' });
    await silent(pipeline({ policy: named }).run(down));
    expect(await silent(pipeline({ policy: named }).run(() => 'up'))).toMatchObject({
      reason: 'breaker_open',
    });
    const apart = pipeline({ policy: named, breakers: circuitBreakers() });
    expect(await apart.run(() => 'up')).toBe('up');
  });

  it('has the threshold and the timeout of the policy', async () => {
    const clock = virtualClock();
    const breakers = circuitBreakers({ clock });
    const fields = { circuitBreakerThreshold: 2, circuitBreakerTimeoutMs: 5_000 };
    const calls = pipeline({ policy: policy({ id: 'timed', ...fields }), breakers });
    await silent(calls.run(down));
    expect(await silent(calls.run(down))).toMatchObject({ reason: 'max_attempts_exceeded' });
    expect(await silent(calls.run(() => 'up'))).toMatchObject({ reason: 'breaker_open' });
    await clock.advance(5_000);
    expect(await calls.run(() => 'up')).toBe('up');
  });

  it('is the given one, also where the policy says nothing', async () => {
    const breaker = circuitBreaker({ threshold: 1 });
    const calls = pipeline({ policy: { maxAttempts: 1 }, breaker });
    await silent(calls.run(down));
    expect(breaker.state).toBe('open');
  });
});
