import { type AttemptContext, isRedriveError, isRetryError, retry } from '@redrive/core';
import {
  countAbortListeners,
  expectNoTimers,
  settle,
  trackUnhandledRejections,
  virtualClock,
} from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';

const hang = () => new Promise<never>(() => {});
const silent = (call: Promise<unknown>) => call.catch((error: unknown) => error);
const once = { maxAttempts: 1 };

describe('attemptTimeoutMs', () => {
  it('fails the attempt, which is retried like any other failure', async () => {
    const clock = virtualClock();
    const policy = { attemptTimeoutMs: 1_000, jitter: 'none' } as const;
    const operation = vi.fn(({ attempt }: { attempt: number }) => (attempt < 3 ? hang() : 'up'));
    const call = retry(operation, policy, { clock });
    await clock.runAll();
    expect(await call).toBe('up');
    expect(operation).toHaveBeenCalledTimes(3);
    expectNoTimers(clock);
  });

  it('aborts the signal of the attempt with the error that comes out', async () => {
    const clock = virtualClock();
    const signals: AbortSignal[] = [];
    const operation = ({ signal }: AttemptContext) => {
      signals.push(signal);
      return hang();
    };
    const policy = { attemptTimeoutMs: 1_000, backoff: 'immediate', maxAttempts: 2 } as const;
    const [error] = await Promise.all([
      silent(retry(operation, policy, { clock })),
      clock.runAll(),
    ]);
    if (!isRetryError(error, 'max_attempts_exceeded')) expect.fail(String(error));
    expect(isRedriveError(error.cause, 'attempt_timeout')).toBe(true);
    expect(String(error.cause)).toContain('1000 ms');
    expect(signals.map(({ reason }) => reason)).toEqual(error.attempts.map((one) => one.error));
    expect(signals[0]?.reason).not.toBe(signals[1]?.reason);
    expect(signals[1]?.reason).toBe(error.cause);
  });

  it('says so to an operation that asks for the signal only afterwards', async () => {
    const clock = virtualClock();
    let context: AttemptContext | undefined;
    const operation = (given: AttemptContext) => {
      context = given;
      return hang();
    };
    const call = silent(retry(operation, { ...once, attemptTimeoutMs: 1_000 }, { clock }));
    const [error] = await Promise.all([call, clock.runAll()]);
    expect(context?.signal.aborted).toBe(true);
    expect(isRetryError(error) && error.cause).toBe(context?.signal.reason);
  });

  it.each([0.001, 1, 7, 50, 100, 999, 1_000, 12_345, 30_000, 3_600_000])(
    'is never early, and late by 1/64 or a few ms at most: %d ms',
    async (attemptTimeoutMs) => {
      for (const offsetMs of [0, 0.3, 1, 333.3]) {
        const clock = virtualClock({ monotonicMs: 5_000 });
        // Others on the list, begun before, so that this one comes in the middle of a tick.
        const other = silent(retry(hang, { ...once, attemptTimeoutMs }, { clock }));
        await clock.advance((offsetMs / 1_000) * attemptTimeoutMs);
        const beginMs = clock.monotonic();
        const call = silent(retry(hang, { ...once, attemptTimeoutMs }, { clock }));
        const tookMs = call.then(() => clock.monotonic() - beginMs);
        await clock.runAll();
        expect(await tookMs).toBeGreaterThanOrEqual(attemptTimeoutMs);
        expect(await tookMs).toBeLessThanOrEqual(
          attemptTimeoutMs + Math.max(4, attemptTimeoutMs / 64),
        );
        await other;
      }
    },
  );

  it('ignores what an attempt that timed out answers later', async () => {
    const rejections = trackUnhandledRejections();
    try {
      const clock = virtualClock();
      const late = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
      const operation = ({ attempt }: { attempt: number }) => late[attempt - 1]?.promise ?? 'third';
      const policy = { attemptTimeoutMs: 100, backoff: 'fixed', baseDelayMs: 100, jitter: 'none' };
      const call = retry(operation, { ...policy, backoff: 'fixed', jitter: 'none' }, { clock });
      await clock.advance(150);
      late[0]?.resolve('late success');
      await clock.advance(200);
      late[1]?.reject(new Error('late failure'));
      await clock.runAll();
      expect(await call).toBe('third');
      expect(await rejections.seen()).toEqual([]);
    } finally {
      rejections.stop();
    }
  });

  it('leaves no timer that holds the process, and none at all a little later', async () => {
    const clock = virtualClock();
    const policy = { ...once, attemptTimeoutMs: 10_000 };
    const open = Promise.withResolvers<string>();
    const first = retry(() => open.promise, policy, { clock });
    const second = silent(retry(() => Promise.reject(new TypeError('no')), policy, { clock }));
    await settle();
    expect(clock.holdingTimers).toBe(1);
    open.resolve('up');
    await Promise.all([first, second]);
    expect(clock.holdingTimers).toBe(0);
    // The next call on the same list holds it again.
    const third = retry(() => settle(), policy, { clock });
    expect(clock.holdingTimers).toBe(1);
    await third;
    await clock.runAll();
    expectNoTimers(clock);
    expect(clock.monotonic()).toBeLessThan(100);
  });

  it('holds for each attempt alone: a slow one does not take time from the next', async () => {
    const clock = virtualClock();
    const sleep = (ms: number) =>
      new Promise<void>((resolve) => void clock.setTimer(ms, () => resolve()));
    const policy = { attemptTimeoutMs: 1_000, backoff: 'immediate' } as const;
    const operation = vi.fn(async ({ attempt }: { attempt: number }) => {
      await sleep(990);
      if (attempt < 3) throw new Error('down');
      return 'up';
    });
    const call = retry(operation, policy, { clock });
    await clock.runAll();
    expect(await call).toBe('up');
  });

  it('keeps the listeners of the caller’s signal away from the operation', async () => {
    const clock = virtualClock();
    const { signal } = new AbortController();
    let inner: AbortSignal | undefined;
    const operation = (context: AttemptContext) => {
      inner = context.signal;
      return 'up';
    };
    await retry(operation, { attemptTimeoutMs: 1_000 }, { clock, signal });
    expect(inner).not.toBe(signal);
    expect(inner?.aborted).toBe(false);
    await vi.waitFor(() => expect(countAbortListeners(signal)).toBe(0), { interval: 1 });
  });
});
