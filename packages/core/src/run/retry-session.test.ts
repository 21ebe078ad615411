import { circuitBreaker, isRetryError, retrySession } from '@redrive/core';
import {
  countAbortListeners,
  expectNoTimers,
  settle,
  trackUnhandledRejections,
  virtualClock,
} from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';
import type { LoopAttempt } from './retry-session.ts';

const steady = { backoff: 'fixed', baseDelayMs: 100, jitter: 'none' } as const;

/** Runs `body` for each attempt, as a caller would, and says how the loop ended. */
async function loop(
  session: ReturnType<typeof retrySession>,
  body: (attempt: LoopAttempt) => unknown,
): Promise<unknown> {
  try {
    for await (const attempt of session) await body(attempt);
    return 'over';
  } catch (error) {
    return error;
  }
}

describe('a loop of attempts', () => {
  it('ends with the first body that reaches its end', async () => {
    const seen: number[] = [];
    expect(await loop(retrySession(), ({ attempt }) => seen.push(attempt))).toBe('over');
    expect(seen).toEqual([1]);
  });

  it('waits and goes on after fail(), and tells what retry would tell', async () => {
    const clock = virtualClock();
    const seen: unknown[] = [];
    const ended = loop(retrySession(steady, { clock }), ({ attempt, context, fail }) => {
      seen.push([attempt, clock.monotonic(), context.lastOutcome]);
      if (attempt < 3) fail(`down ${attempt}`);
    });
    await clock.runAll();
    expect(await ended).toBe('over');
    expect(seen).toEqual([
      [1, 0, undefined],
      [2, 100, { kind: 'error', error: 'down 1' }],
      [3, 200, { kind: 'error', error: 'down 2' }],
    ]);
    expectNoTimers(clock);
  });

  it('throws out of the loop what retry would reject with', async () => {
    const clock = virtualClock();
    const body = vi.fn(({ attempt, fail }: LoopAttempt) => fail(`down ${attempt}`));
    const ended = loop(retrySession(steady, { clock }), body);
    await clock.runAll();
    const error = await ended;
    if (!isRetryError(error, 'max_attempts_exceeded')) expect.fail(String(error));
    expect(error.cause).toBe('down 3');
    expect(body).toHaveBeenCalledTimes(3);
    const final = new TypeError('no');
    expect(await loop(retrySession(), ({ fail }) => fail(final))).toBe(final);
  });

  it('takes the first verdict: what is said after it changes nothing', async () => {
    const clock = virtualClock();
    const body = vi.fn(({ attempt, succeed, fail }: LoopAttempt) => {
      if (attempt === 1) fail('down');
      succeed();
      fail('too late');
    });
    const ended = loop(retrySession(steady, { clock }), body);
    await clock.runAll();
    expect(await ended).toBe('over');
    expect(body).toHaveBeenCalledTimes(2);
  });

  it('refuses a wrong policy at the first attempt', async () => {
    const body = vi.fn();
    expect(await loop(retrySession({ maxAttempts: 0 }), body)).toMatchObject({
      code: 'invalid_policy',
    });
    expect(body).not.toHaveBeenCalled();
  });

  it('makes no attempt until somebody asks for one', async () => {
    const breaker = circuitBreaker();
    const admit = vi.spyOn(breaker, 'admit');
    retrySession({}, { breaker });
    await settle();
    expect(admit).not.toHaveBeenCalled();
  });
});

describe('leaving the loop', () => {
  const leave: Record<string, (session: ReturnType<typeof retrySession>) => Promise<unknown>> = {
    break: async (session) => {
      for await (const _ of session) break;
      return 'left';
    },
    return: async (session) => {
      for await (const _ of session) return 'left';
    },
    throw: async (session) => {
      try {
        for await (const _ of session) throw new Error('left');
      } catch (error) {
        return error instanceof Error && error.message;
      }
    },
  };

  it.each(Object.entries(leave))(
    'by %s counts for nothing and leaves nothing behind',
    async (_, go) => {
      const rejections = trackUnhandledRejections();
      try {
        const clock = virtualClock();
        const { signal } = new AbortController();
        const breaker = circuitBreaker({ clock, threshold: 1, timeoutMs: 1_000 });
        await loop(retrySession({ maxAttempts: 1 }, { clock, breaker }), ({ fail }) =>
          fail('down'),
        );
        await clock.advance(1_000);
        // Half-open: the one probe is ours, and its place must be free again.
        expect(await go(retrySession({ attemptTimeoutMs: 500 }, { clock, breaker, signal }))).toBe(
          'left',
        );
        await settle();
        expect(breaker.state).toBe('half_open');
        expect(await loop(retrySession({}, { clock, breaker }), () => {})).toBe('over');
        expect(breaker.state).toBe('closed');
        expect(clock.holdingTimers).toBe(0);
        await clock.runAll();
        expectNoTimers(clock);
        await vi.waitFor(() => expect(countAbortListeners(signal)).toBe(0), { interval: 1 });
        expect(await rejections.seen()).toEqual([]);
      } finally {
        rejections.stop();
      }
    },
  );

  it('by break after fail() ends the wait', async () => {
    const clock = virtualClock();
    for await (const { fail } of retrySession(steady, { clock })) {
      fail('down');
      await settle();
      expect(clock.pendingTimers).toBe(1);
      break;
    }
    await settle();
    expectNoTimers(clock);
  });

  it('after succeed() counts as a success', async () => {
    const breaker = circuitBreaker({ threshold: 2 });
    const options = { breaker };
    await loop(retrySession({ maxAttempts: 1 }, options), ({ fail }) => fail('down'));
    for await (const attempt of retrySession({ maxAttempts: 1 }, options)) {
      attempt.succeed();
      await settle();
      break;
    }
    expect(breaker.failureCount).toBe(0);
  });
});

describe('an end from outside', () => {
  it('comes from the caller’s signal, in a wait', async () => {
    const clock = virtualClock();
    const controller = new AbortController();
    const session = retrySession(steady, { clock, signal: controller.signal });
    const ended = loop(session, ({ fail }) => fail('down'));
    await settle();
    controller.abort('user left');
    expect(await ended).toBe('user left');
    expectNoTimers(clock);
  });

  it('comes from the caller’s signal, in the body, which sees it', async () => {
    const controller = new AbortController();
    const session = retrySession({}, { signal: controller.signal });
    const reasons: unknown[] = [];
    const ended = loop(session, ({ signal }) => {
      controller.abort('user left');
      reasons.push(signal.reason);
    });
    expect(await ended).toBe('user left');
    expect(reasons).toEqual(['user left']);
  });

  it('comes from the timeout of an attempt: the body is told, and the next attempt follows', async () => {
    const clock = virtualClock();
    const policy = { ...steady, attemptTimeoutMs: 50 };
    const seen: unknown[] = [];
    const ended = loop(retrySession(policy, { clock }), async ({ attempt, signal }) => {
      if (attempt === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      seen.push([attempt, signal.aborted]);
    });
    await clock.runAll();
    expect(await ended).toBe('over');
    expect(seen).toEqual([
      [1, true],
      [2, false],
    ]);
  });

  it.each([
    ['during attempt 3', 320],
    ['in the wait before it', 250],
  ])(
    'skips an attempt that was over before a slow body came back for it, %s',
    async (_, deafMs) => {
      const clock = virtualClock();
      const policy = { ...steady, attemptTimeoutMs: 50, maxAttempts: 9 };
      const seen: unknown[] = [];
      const ended = loop(retrySession(policy, { clock }), async ({ attempt, signal }) => {
        seen.push([attempt, signal.aborted]);
        // Deaf for so long that attempt 2 has come and gone meanwhile: each takes 50 ms, 100 ms apart.
        if (attempt === 1)
          await new Promise<void>((resolve) => void clock.setTimer(deafMs, resolve));
      });
      await clock.runAll();
      expect(await ended).toBe('over');
      expect(seen).toEqual([
        [1, false],
        [3, false],
      ]);
    },
  );

  it('runs no body for a session that gave up meanwhile', async () => {
    const clock = virtualClock();
    const policy = { ...steady, attemptTimeoutMs: 50, maxAttempts: 2 };
    const seen: number[] = [];
    const ended = loop(retrySession(policy, { clock }), async ({ attempt }) => {
      seen.push(attempt);
      await new Promise<void>((resolve) => void clock.setTimer(1_000, resolve));
    });
    await clock.runAll();
    expect(isRetryError(await ended, 'max_attempts_exceeded')).toBe(true);
    expect(seen).toEqual([1]);
  });
});
