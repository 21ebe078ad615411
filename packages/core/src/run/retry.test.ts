import { definePolicy, type Policy, retry, syncSink } from '@redrive/core';
import { expectNoTimers, settle, trackUnhandledRejections, virtualClock } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';

const steady = { backoff: 'fixed', baseDelayMs: 100, jitter: 'none' } as const;

/** Fails so many times, then answers. */
const flaky = (failures: number) =>
  vi.fn(({ attempt }: { attempt: number }) =>
    attempt <= failures ? Promise.reject(new Error(`down ${attempt}`)) : `up ${attempt}`,
  );

type Answer = string | PromiseLike<string>;

/** Like a promise, but of nobody's class. */
function thenable(
  then: (resolve: (value: Answer) => void, reject: (error: unknown) => void) => void,
): PromiseLike<string> {
  return { then } as PromiseLike<string>; // Enough of one for `await`.
}

describe('retry', () => {
  it('answers with what the first attempt returns, and sets no timer', async () => {
    const clock = virtualClock();
    const operation = flaky(0);
    expect(await retry(operation, steady, { clock })).toBe('up 1');
    expect(operation).toHaveBeenCalledTimes(1);
    expectNoTimers(clock);
  });

  it('tries again after each wait until it succeeds', async () => {
    const clock = virtualClock();
    const operation = flaky(2);
    const call = retry(operation, steady, { clock });
    await clock.advance(99);
    expect(operation).toHaveBeenCalledTimes(1);
    await clock.advance(1);
    expect(operation).toHaveBeenCalledTimes(2);
    await clock.advance(99);
    expect(operation).toHaveBeenCalledTimes(2);
    await clock.advance(1);
    expect(await call).toBe('up 3');
    expectNoTimers(clock);
  });

  it('waits as the policy says: 1 s, then 2 s by default', async () => {
    const clock = virtualClock();
    const starts: number[] = [];
    const call = retry(
      () => {
        starts.push(clock.monotonic());
        throw new Error('down');
      },
      { jitter: 'none' },
      { clock },
    ).catch(() => {});
    await Promise.all([call, clock.runAll()]);
    expect(starts).toEqual([0, 1_000, 3_000]);
  });

  it('waits not at all where the delay is 0, and sets no timer for it', async () => {
    const clock = virtualClock();
    const { signal } = new AbortController();
    for (const options of [{}, { signal }, { signal, events: syncSink(() => {}) }]) {
      const call = retry(flaky(2), { backoff: 'immediate' }, { clock, ...options });
      expect(await call).toBe('up 3');
    }
    const first = retry(flaky(2), { ...steady, immediateFirstRetry: true }, { clock });
    await settle();
    expect(clock.nextTimerInMs).toBe(100);
    await clock.runAll();
    expect(await first).toBe('up 3');
  });

  it.each<[string, () => Answer]>([
    ['a value', () => 'up'],
    ['a promise', () => Promise.resolve('up')],
    ['a thenable', () => thenable((resolve) => resolve('up'))],
    [
      'a thenable of a thenable',
      () => thenable((resolve) => resolve(thenable((inner) => inner('up')))),
    ],
  ])('takes an operation that answers with %s', async (_, answer) => {
    expect(await retry(answer)).toBe('up');
    expect(await retry(answer, { attemptTimeoutMs: 1_000 })).toBe('up');
  });

  it.each<[string, () => Answer]>([
    [
      'throws at once',
      () => {
        throw new Error('down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
    [
      'answers with a thenable that rejects',
      () => thenable((_, reject) => reject(new Error('down'))),
    ],
    [
      'answers with a thenable that throws',
      () =>
        thenable(() => {
          throw new Error('down');
        }),
    ],
  ])('retries an operation that %s, in the first attempt and later', async (_, operation) => {
    for (const policy of [{}, { attemptTimeoutMs: 1_000 }, { ttlMs: 10_000 }] as Policy[]) {
      const clock = virtualClock();
      const attempts = vi.fn(operation);
      const call = retry(attempts, { ...steady, ...policy }, { clock }).catch((error) => error);
      const [error] = await Promise.all([call, clock.runAll()]);
      expect(error).toMatchObject({ reason: 'max_attempts_exceeded', totalAttempts: 3 });
      expect(attempts).toHaveBeenCalledTimes(3);
    }
  });

  it('lets a final error out as it is, after one attempt', async () => {
    const final = Object.assign(new Error('Bad Request'), { status: 400 });
    const operation = vi.fn(() => Promise.reject(final));
    await expect(retry(operation)).rejects.toBe(final);
    expect(operation).toHaveBeenCalledTimes(1);
  });

  it('goes by the lists of the policy', async () => {
    const policy = { backoff: 'immediate', nonRetryableExceptions: [RangeError] } as const;
    const operation = vi.fn(() => Promise.reject(new RangeError('no')));
    await expect(retry(operation, policy)).rejects.toThrow(RangeError);
    expect(operation).toHaveBeenCalledTimes(1);
  });

  it('is the same with a defined policy, a literal, a frozen literal and none', async () => {
    const literal = { maxAttempts: 4, backoff: 'immediate' } as const;
    for (const policy of [literal, Object.freeze({ ...literal }), definePolicy(literal)]) {
      expect(await retry(flaky(3), policy)).toBe('up 4');
    }
    expect(await retry(flaky(0))).toBe('up 1');
  });

  it('refuses a wrong policy with a rejection, not with an exception', async () => {
    const operation = vi.fn();
    const call = retry(operation, { maxAttempts: 0 });
    await expect(call).rejects.toMatchObject({ code: 'invalid_policy' });
    expect(operation).not.toHaveBeenCalled();
  });

  it('makes one attempt, and says so, when the policy is disabled', async () => {
    const policy = { enabled: false, maxAttempts: 5 };
    const operation = flaky(9);
    const error = await retry(operation, policy).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ reason: 'policy_disabled', totalAttempts: 1 });
    expect(error).toMatchObject({ cause: { message: 'down 1' } });
    expect(operation.mock.lastCall?.[0]).toMatchObject({ attempt: 1, maxAttempts: 1 });
    expect(await retry(flaky(0), policy)).toBe('up 1');
  });

  it('leaves no rejection unheard, whether or not a call in between fails', async () => {
    const rejections = trackUnhandledRejections();
    try {
      const clock = virtualClock();
      const calls = [0, 1, 2, 3, 4].map((failures) =>
        retry(flaky(failures), { ...steady, attemptTimeoutMs: 50 }, { clock }),
      );
      const results = Promise.allSettled(calls);
      await clock.runAll();
      expect((await results).map(({ status }) => status)).toEqual([
        'fulfilled',
        'fulfilled',
        'fulfilled',
        'rejected',
        'rejected',
      ]);
      expect(await rejections.seen()).toEqual([]);
    } finally {
      rejections.stop();
    }
  });
});
