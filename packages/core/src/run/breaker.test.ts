import { type AttemptContext, circuitBreaker, isRetryError, retry } from '@redrive/core';
import { expectNoTimers, virtualClock } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';

const START = Date.parse('2026-01-29T12:00:00Z');
const atOnce = { backoff: 'immediate' } as const;
const silent = (call: Promise<unknown>) => call.catch((error: unknown) => error);

function setUp(options: { threshold?: number; timeoutMs?: number } = {}) {
  const clock = virtualClock({ startMs: START });
  const breaker = circuitBreaker({ clock, threshold: 3, timeoutMs: 10_000, ...options });
  return { clock, breaker, options: { clock, breaker } };
}

describe('a breaker around the attempts', () => {
  it('counts every attempt, opens, refuses without a call, lets a probe through and closes', async () => {
    const { clock, breaker, options } = setUp();
    let alive = false;
    const operation = vi.fn(async () => (alive ? 'up' : Promise.reject(new Error('down'))));
    await silent(retry(operation, atOnce, options));
    expect(breaker.state).toBe('open');
    expect(operation).toHaveBeenCalledTimes(3);

    await clock.advance(4_000);
    const refused = await silent(retry(operation, atOnce, options));
    if (!isRetryError(refused, 'breaker_open')) expect.fail(String(refused));
    expect(operation).toHaveBeenCalledTimes(3);
    expect(refused).toMatchObject({ totalAttempts: 0, attempts: [] });
    expect(refused.cause).toBeUndefined();
    expect(refused.retryAt).toEqual(new Date(START + 10_000));
    expectNoTimers(clock);

    await clock.advance(6_000);
    alive = true;
    expect(await retry(operation, atOnce, options)).toBe('up');
    expect(breaker.state).toBe('closed');
  });

  it('opens again when the probe fails', async () => {
    const { clock, breaker, options } = setUp({ threshold: 1 });
    const operation = vi.fn(() => Promise.reject(new Error('down')));
    await silent(retry(operation, atOnce, options));
    await clock.advance(10_000);
    await silent(retry(operation, atOnce, options));
    expect(breaker.state).toBe('open');
    expect(operation).toHaveBeenCalledTimes(2);
  });

  it('ends a session whose wait would be over before the breaker lets anybody through', async () => {
    const { clock, options } = setUp({ threshold: 2, timeoutMs: 60_000 });
    const operation = vi.fn(({ attempt }: AttemptContext) => Promise.reject(attempt));
    const policy = { baseDelayMs: 1_000, jitter: 'none', maxAttempts: 9 } as const;
    const call = silent(retry(operation, policy, options));
    await clock.advance(1_000);
    const error = await call;
    if (!isRetryError(error, 'breaker_open')) expect.fail(String(error));
    // The error of the attempt that opened it is the cause: nothing was lost.
    expect(error.cause).toBe(2);
    expect(error.totalAttempts).toBe(2);
    expect(error.retryAt).toEqual(new Date(START + 61_000));
    expectNoTimers(clock);
  });

  it('lets a session wait that comes back after it has opened up', async () => {
    const { clock, options } = setUp({ threshold: 1, timeoutMs: 1_000 });
    const policy = { baseDelayMs: 1_000, jitter: 'none' } as const;
    const call = retry(
      ({ attempt }) => (attempt === 1 ? Promise.reject('down') : 'up'),
      policy,
      options,
    );
    await clock.runAll();
    expect(await call).toBe('up');
  });

  it('refuses a later attempt when others have opened it during the wait', async () => {
    const { clock, breaker, options } = setUp({ threshold: 2, timeoutMs: 60_000 });
    const operation = vi.fn(() => Promise.reject(new Error('mine')));
    const call = silent(retry(operation, { baseDelayMs: 1_000, jitter: 'none' }, options));
    await clock.advance(500);
    await silent(retry(() => Promise.reject(new Error('theirs')), { maxAttempts: 1 }, options));
    expect(breaker.state).toBe('open');
    await clock.advance(500);
    const error = await call;
    if (!isRetryError(error, 'breaker_open')) expect.fail(String(error));
    expect(error.cause).toEqual(new Error('mine'));
    expect(error.totalAttempts).toBe(1);
    expect(error.retryAt).toEqual(new Date(START + 60_500));
    expect(operation).toHaveBeenCalledTimes(1);
  });

  it('is not moved by errors that are the caller’s own', async () => {
    const { breaker, options } = setUp({ threshold: 1 });
    await silent(retry(() => Promise.reject(new TypeError('no')), {}, options));
    const controller = new AbortController();
    const cancelled = silent(
      retry(() => new Promise(() => {}), {}, { ...options, signal: controller.signal }),
    );
    controller.abort();
    await cancelled;
    expect([breaker.state, breaker.failureCount]).toEqual(['closed', 0]);
  });

  it('goes by values too', async () => {
    const { breaker, options } = setUp({ threshold: 3 });
    const classifyResult = () => ({ errorClass: 'retryable', effect: 'none' }) as const;
    await silent(retry(() => 503, { ...atOnce, classifyResult }, options));
    expect(breaker.state).toBe('open');
  });

  it('is not asked where the policy is disabled', async () => {
    const { breaker, options } = setUp();
    breaker.isolate();
    expect(await retry(() => 'up', { enabled: false, enableCircuitBreaker: true }, options)).toBe(
      'up',
    );
    expect(await retry(() => 'up', { enabled: false, enableCircuitBreaker: true })).toBe('up');
  });

  it('must be there where the policy asks for one', async () => {
    const operation = vi.fn();
    const call = retry(operation, { id: 'orders', enableCircuitBreaker: true });
    await expect(call).rejects.toMatchObject({ code: 'breaker_missing' });
    await expect(call).rejects.toThrow(/orders.*pipeline/);
    expect(operation).not.toHaveBeenCalled();
  });
});
