import {
  type AttemptContext,
  isRedriveError,
  isRetryError,
  retry,
  sessionFromHeaders,
} from '@redrive/core';
import { settle, virtualClock } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';

const START = Date.parse('2026-01-29T12:00:00Z');
const hang = () => new Promise<never>(() => {});
const down = () => Promise.reject(new Error('down'));
const silent = (call: Promise<unknown>) => call.catch((error: unknown) => error);

describe('ttlMs', () => {
  it('ends the attempt in flight at the deadline', async () => {
    const clock = virtualClock({ startMs: START });
    let context: AttemptContext | undefined;
    const operation = vi.fn((given: AttemptContext) => {
      context = given;
      given.signal.throwIfAborted();
      return hang();
    });
    const call = silent(retry(operation, { ttlMs: 10_000 }, { clock }));
    const endedMs = call.then(() => clock.monotonic());
    await clock.runAll();
    const error = await call;
    if (!isRetryError(error, 'ttl_exceeded')) expect.fail(String(error));
    expect(await endedMs).toBeGreaterThanOrEqual(10_000);
    expect(await endedMs).toBeLessThanOrEqual(10_000 + 10_000 / 64);
    expect(operation).toHaveBeenCalledTimes(1);
    expect(isRedriveError(error.cause, 'attempt_timeout')).toBe(true);
    expect(String(error.cause)).toContain('time of the session');
    expect(context?.signal.reason).toBe(error.cause);
    // The time is up: there is nothing to come back for in this session.
    expect(error.retryAt).toBeUndefined();
  });

  it('counts the waits and the attempts before', async () => {
    const clock = virtualClock();
    const policy = { ttlMs: 2_500, backoff: 'fixed', baseDelayMs: 1_000, jitter: 'none' } as const;
    const starts: number[] = [];
    const operation = ({ attempt }: AttemptContext) => {
      starts.push(clock.monotonic());
      return attempt < 3 ? down() : hang();
    };
    const call = silent(retry(operation, policy, { clock }));
    const endedMs = call.then(() => clock.monotonic());
    await clock.runAll();
    expect(await call).toMatchObject({ reason: 'ttl_exceeded', totalAttempts: 3 });
    expect(starts).toEqual([0, 1_000, 2_000]);
    expect(await endedMs).toBeGreaterThanOrEqual(2_500);
    expect(await endedMs).toBeLessThanOrEqual(2_500 + 500 / 64 + 4);
  });

  it('refuses a wait past the deadline at once, with the time when it would have been over', async () => {
    const clock = virtualClock({ startMs: START });
    const policy = { ttlMs: 5_000, baseDelayMs: 5_000, jitter: 'none' } as const;
    const call = silent(retry(down, policy, { clock }));
    await settle();
    expect(clock.monotonic()).toBe(0);
    const error = await call;
    if (!isRetryError(error, 'ttl_exceeded')) expect.fail(String(error));
    expect(error.retryAt).toEqual(new Date(START + 5_000));
    expect(error.totalAttempts).toBe(1);
    expect(clock.holdingTimers).toBe(0);
  });

  it('waits where the wait ends before the deadline', async () => {
    const clock = virtualClock();
    const policy = { ttlMs: 5_001, baseDelayMs: 5_000, jitter: 'none' } as const;
    const call = retry(({ attempt }) => (attempt === 1 ? down() : 'up'), policy, { clock });
    await clock.runAll();
    expect(await call).toBe('up');
  });

  it('goes with the shorter of the two limits, and names it', async () => {
    const clock = virtualClock();
    const policy = { attemptTimeoutMs: 1_000, ttlMs: 60_000, maxAttempts: 1 };
    const [error] = await Promise.all([silent(retry(hang, policy, { clock })), clock.runAll()]);
    expect(error).toMatchObject({ reason: 'max_attempts_exceeded' });
    expect(String(isRetryError(error) && error.cause)).toContain('1000 ms');
    expect(clock.monotonic()).toBeLessThan(1_100);
  });

  it('starts nothing when the time was up before: of a nested call, or one from another process', async () => {
    const clock = virtualClock();
    const operation = vi.fn(() => 'up');
    const headers = { 'redrive-session': 's', 'redrive-time-left-ms': '0' };
    const parent = sessionFromHeaders(headers, clock);
    const error = await silent(retry(operation, {}, { clock, parent }));
    expect(error).toMatchObject({ reason: 'ttl_exceeded', cause: { code: 'attempt_timeout' } });
    expect(operation).not.toHaveBeenCalled();
  });

  it('says how much is left', async () => {
    const clock = virtualClock({ monotonicMs: 7_000 });
    const left: number[] = [];
    const policy = { ttlMs: 10_000, baseDelayMs: 1_000, jitter: 'none' } as const;
    const call = retry(
      (context) => {
        left.push(context.timeLeftMs());
        return context.attempt === 1 ? down() : 'up';
      },
      policy,
      { clock },
    );
    await clock.runAll();
    await call;
    expect(left).toEqual([10_000, 9_000]);
    expect(await retry((context) => context.timeLeftMs())).toBe(Infinity);
    expect(await retry((context) => context.timeLeftMs(), { attemptTimeoutMs: 50 })).toBe(Infinity);
  });
});
