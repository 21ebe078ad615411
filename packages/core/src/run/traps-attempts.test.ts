import { circuitBreaker, isRetryError, retry } from '@redrive/core';
import { expectNoTimers, virtualClock } from '@redrive/testkit';
import { describe, expect, it, test, vi } from 'vitest';

const atOnce = { backoff: 'immediate' } as const;
const failureOf = (call: Promise<unknown>) =>
  call.then(
    (value) => expect.fail(`succeeded with ${value}`),
    (error: unknown) => error,
  );

describe('trap: one attempt too many or too few', () => {
  it.each([1, 2, 3, 10])('maxAttempts %i makes that many calls', async (maxAttempts) => {
    const seen: number[] = [];
    const call = retry(
      (context) => {
        seen.push(context.attempt);
        expect(context.maxAttempts).toBe(maxAttempts);
        throw new Error('down');
      },
      { ...atOnce, maxAttempts },
    );
    const error = await failureOf(call);
    expect(seen).toEqual(Array.from({ length: maxAttempts }, (_, index) => index + 1));
    expect(isRetryError(error) && error.totalAttempts).toBe(maxAttempts);
  });

  it('makes three calls where the policy says nothing', async () => {
    const clock = virtualClock();
    const operation = vi.fn(() => Promise.reject(new Error('down')));
    await Promise.all([failureOf(retry(operation, undefined, { clock })), clock.runAll()]);
    expect(operation).toHaveBeenCalledTimes(3);
  });
});

describe('trap: the error of the wrong attempt surfaces', () => {
  it('has the last error as the cause, not the first nor the most frequent one', async () => {
    const errors = ['A', 'A', 'B'].map((name) => new Error(name));
    const call = retry(({ attempt }) => Promise.reject(errors[attempt - 1]), atOnce);
    const error = await failureOf(call);
    if (!isRetryError(error)) expect.fail(String(error));
    expect(error.cause).toBe(errors[2]);
    expect(error.attempts.map((failure) => failure.error)).toEqual(errors);
  });

  it('lets a final error out although retryable ones came before it', async () => {
    const final = new TypeError('x is not a function');
    const call = retry(({ attempt }) => {
      throw attempt < 3 ? new Error('down') : final;
    }, atOnce);
    expect(await failureOf(call)).toBe(final);
  });
});

describe('trap: what is thrown is no Error', () => {
  it.each([undefined, null, '', 'down', 0, 42, false, Symbol('down'), { code: 'DOWN' }])(
    'retries %s and keeps it as the cause',
    async (thrown) => {
      const operation = vi.fn(() => {
        throw thrown;
      });
      const error = await failureOf(retry(operation, atOnce));
      expect(operation).toHaveBeenCalledTimes(3);
      if (!isRetryError(error, 'max_attempts_exceeded')) expect.fail(String(error));
      expect(error.cause).toBe(thrown);
      expect('cause' in error).toBe(true);
      expect(error.attempts).toHaveLength(3);
    },
  );

  it('takes undefined, null, false and 0 for values where they are returned', async () => {
    for (const value of [undefined, null, false, 0]) {
      const operation = vi.fn(async () => value);
      expect(await retry(operation)).toBe(value);
      expect(operation).toHaveBeenCalledTimes(1);
    }
  });

  it('retries what cannot even be looked at', async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const error = await failureOf(retry(() => Promise.reject(proxy), atOnce));
    expect(isRetryError(error) && error.cause === proxy).toBe(true);
  });
});

describe('trap: an option is no number', () => {
  it.each([
    'maxAttempts',
    'baseDelayMs',
    'maxDelayMs',
    'multiplier',
    'jitterAmount',
    'attemptTimeoutMs',
    'ttlMs',
    'horizonMs',
  ])('refuses NaN as %s before the first call, every time', async (field) => {
    const operation = vi.fn(() => 1);
    for (const _ of [1, 2]) {
      const error = await failureOf(retry(operation, { [field]: Number.NaN }));
      expect(error).toMatchObject({ code: 'invalid_policy', details: { problems: [{ field }] } });
    }
    expect(operation).not.toHaveBeenCalled();
  });
});

test('trap: the error of an open breaker is retried', async () => {
  const clock = virtualClock();
  const breaker = circuitBreaker({ clock, threshold: 1, timeoutMs: 60_000 });
  const operation = vi.fn(() => Promise.reject(new Error('down')));
  await failureOf(retry(operation, { maxAttempts: 1 }, { clock, breaker }));
  const error = await failureOf(retry(operation, { maxAttempts: 5 }, { clock, breaker }));
  expect(isRetryError(error, 'breaker_open')).toBe(true);
  expect(operation).toHaveBeenCalledTimes(1);
  // Nor by a session around it that knows nothing of the breaker.
  const around = vi.fn(() => retry(operation, {}, { clock, breaker }));
  const outer = await failureOf(retry(around, {}, { clock }));
  expect(isRetryError(outer, 'breaker_open')).toBe(true);
  expect(around).toHaveBeenCalledTimes(1);
  expect(operation).toHaveBeenCalledTimes(1);
  expectNoTimers(clock);
});
