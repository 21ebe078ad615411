import {
  type HandedOverWork,
  isRetryError,
  type Policy,
  type RetryOptions,
  retry,
} from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';

const atOnce = { backoff: 'immediate' } as const;
const failureOf = (call: Promise<unknown>) =>
  call.then(
    (value) => expect.fail(`succeeded with ${value}`),
    (error: unknown) => error,
  );

describe('trap: a shared object is mutated', () => {
  it('keeps the policy that a call began with', async () => {
    const clock = virtualClock();
    const policy: { -readonly [field in keyof Policy]: Policy[field] } = {
      maxAttempts: 2,
      baseDelayMs: 100,
      jitter: 'none',
    };
    const operation = vi.fn(() => Promise.reject(new Error('down')));
    const call = failureOf(retry(operation, policy, { clock }));
    await clock.advance(50);
    policy.maxAttempts = 9;
    policy.baseDelayMs = 5_000;
    await clock.advance(50);
    await call;
    expect(operation).toHaveBeenCalledTimes(2);
  });

  it('takes the mutated policy for the next call, and checks it', async () => {
    const policy: { maxAttempts: number; backoff: 'immediate' } = { ...atOnce, maxAttempts: 2 };
    const operation = vi.fn(() => Promise.reject(new Error('down')));
    await failureOf(retry(operation, policy));
    policy.maxAttempts = 4;
    await failureOf(retry(operation, policy));
    expect(operation).toHaveBeenCalledTimes(2 + 4);
    policy.maxAttempts = Number.NaN;
    expect(await failureOf(retry(operation, policy))).toMatchObject({ code: 'invalid_policy' });
    expect(operation).toHaveBeenCalledTimes(2 + 4);
  });

  it('writes nothing into policy and options: frozen ones do', async () => {
    const policy = Object.freeze({ ...atOnce, maxAttempts: 2 });
    const options: RetryOptions = Object.freeze({ operation: 'frozen' });
    await failureOf(retry(() => Promise.reject(new Error('down')), policy, options));
    expect(Object.keys(options)).toEqual(['operation']);
  });

  it('keeps no count between calls that share everything', async () => {
    const operation = vi.fn(() => Promise.reject(new Error('down')));
    const options: RetryOptions = { operation: 'shared' };
    const errors = await Promise.all(
      [1, 2, 3].map(() => failureOf(retry(operation, atOnce, options))),
    );
    expect(errors.map((error) => isRetryError(error) && error.totalAttempts)).toEqual([3, 3, 3]);
  });

  it('keeps the signal that a call began with, in its waits and in later attempts', async () => {
    for (const abortAtMs of [500, 1_500]) {
      const clock = virtualClock();
      const [mine, next] = [new AbortController(), new AbortController()];
      const options = { clock, signal: mine.signal };
      const operation = vi.fn(({ attempt }: { attempt: number }) =>
        attempt === 1 ? Promise.reject(new Error('down')) : new Promise(() => {}),
      );
      const call = failureOf(retry(operation, { baseDelayMs: 1_000, jitter: 'none' }, options));
      options.signal = next.signal;
      await clock.advance(abortAtMs);
      next.abort('not mine');
      await clock.advance(1);
      mine.abort('mine');
      expect(await call).toBe('mine');
    }
  });

  it('keeps the work that a call was to hand over', async () => {
    const handOver = vi.fn(async (_work: HandedOverWork) => {});
    const to = { handOver };
    const options = { handOver: { to, handler: 'send', payload: 'first' } };
    const call = failureOf(retry(() => Promise.reject('down'), { horizonMs: 1 }, options));
    options.handOver = { to, handler: 'send', payload: 'second' };
    expect(await call).toMatchObject({ reason: 'handed_over' });
    expect(handOver.mock.lastCall?.[0].payload).toBe('first');
  });

  it('keeps the idempotency key that a call began with', async () => {
    const clock = virtualClock();
    const options = { clock, idempotencyKey: 'first' };
    const keys: string[] = [];
    const call = failureOf(
      retry((context) => Promise.reject(keys.push(context.idempotencyKey)), atOnce, options),
    );
    options.idempotencyKey = 'second';
    await call;
    expect(keys).toEqual(['first', 'first', 'first']);
  });
});
