import { isRetryError, retry, retryBudget } from '@redrive/core';
import { defaultBudgets } from '@redrive/core/stored';
import { settle, virtualClock } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';

const START = Date.parse('2026-01-29T12:00:00Z');
const atOnce = { backoff: 'immediate' } as const;
const failing = () => vi.fn(() => Promise.reject(new Error('down')));
const silent = (call: Promise<unknown>) => call.catch((error: unknown) => error);

/** So many tokens, and none by themselves. */
const tokens = (burst: number, clock = virtualClock()) =>
  retryBudget({ clock, burst, floorPerSecond: 0, ratio: 0.5 });

describe('a retry budget', () => {
  it('refuses a retry that it has no token for, with the error itself as the cause', async () => {
    const clock = virtualClock({ startMs: START });
    const thrown = new Error('down');
    const operation = vi.fn(() => Promise.reject(thrown));
    const policy = { jitter: 'none', baseDelayMs: 2_000 } as const;
    const error = await silent(retry(operation, policy, { clock, budget: tokens(0) }));
    if (!isRetryError(error, 'budget_exhausted')) expect.fail(String(error));
    expect(error.cause).toBe(thrown);
    expect(error.retryAt).toEqual(new Date(START + 2_000));
    expect(error.attempts).toEqual([{ attempt: 1, error: thrown, delayMs: 0 }]);
    expect(operation).toHaveBeenCalledTimes(1);
  });

  it('bounds the retries of all calls that share it', async () => {
    const operation = failing();
    const budget = tokens(7);
    const calls = Array.from({ length: 50 }, () => silent(retry(operation, atOnce, { budget })));
    await Promise.all(calls);
    expect(operation).toHaveBeenCalledTimes(50 + 7);
  });

  it('gets tokens from every success, and from nothing else', async () => {
    const budget = tokens(10);
    for (let n = 0; n < 4; n++) budget.take('retryable');
    expect(budget.tokens).toBe(6);
    await retry(() => 'up', {}, { budget });
    expect(budget.tokens).toBe(6.5);
    await retry(({ attempt }) => (attempt < 3 ? Promise.reject('down') : 'up'), atOnce, { budget });
    expect(budget.tokens).toBe(5);
    await silent(retry(() => Promise.reject(new TypeError('no')), {}, { budget }));
    await silent(retry(failing(), { maxAttempts: 1 }, { budget }));
    expect(budget.tokens).toBe(5);
  });

  it.each([
    ['a failure', new Error('down'), 1],
    ['a rate limit', Object.assign(new Error('slow'), { status: 429 }), 5 / 14],
  ])('is charged before the wait after %s, and given it back on abort', async (_, thrown, cost) => {
    const clock = virtualClock();
    const budget = tokens(10);
    for (const _taken of [1, 2]) budget.take('retryable');
    const controller = new AbortController();
    const options = { clock, budget, signal: controller.signal };
    const call = silent(retry(() => Promise.reject(thrown), {}, options));
    await settle();
    expect(budget.tokens).toBeCloseTo(8 - cost, 9);
    controller.abort('user left');
    expect(await call).toBe('user left');
    expect(budget.tokens).toBeCloseTo(8, 9);
  });

  it('keeps what was spent on a retry that ran, also when that is aborted', async () => {
    const budget = tokens(10);
    const controller = new AbortController();
    const operation = ({ attempt }: { attempt: number }) =>
      attempt === 1 ? Promise.reject('down') : new Promise(() => {});
    const call = silent(retry(operation, atOnce, { budget, signal: controller.signal }));
    await settle();
    controller.abort('user left');
    expect(await call).toBe('user left');
    expect(budget.tokens).toBe(9);
  });
});

describe('who has a budget', () => {
  it('a call that names its dependency: the one that all of them share', async () => {
    const dependency = 'budget-test/named';
    const operation = failing();
    const budget = defaultBudgets().for(dependency);
    while (budget.allows('retryable')) budget.take('retryable');
    const error = await silent(retry(operation, { ...atOnce, dependency }));
    expect(error).toMatchObject({ reason: 'budget_exhausted' });
    const other = { ...atOnce, dependency: 'budget-test/other' };
    expect(await silent(retry(operation, other))).toMatchObject({ totalAttempts: 3 });
  });

  it('starts full, with a burst of 100', async () => {
    const dependency = 'budget-test/burst';
    const operation = failing();
    const policy = { ...atOnce, dependency, maxAttempts: 2 };
    const calls = Array.from({ length: 300 }, () => silent(retry(operation, policy)));
    await Promise.all(calls);
    expect(operation.mock.calls.length).toBeGreaterThanOrEqual(300 + 100);
    // The floor of 10 per second gives a few more while the test runs.
    expect(operation.mock.calls.length).toBeLessThan(300 + 150);
  });

  it('not an anonymous call: it does what its policy says', async () => {
    const operation = failing();
    const calls = Array.from({ length: 500 }, () => silent(retry(operation, atOnce)));
    await Promise.all(calls);
    expect(operation).toHaveBeenCalledTimes(1_500);
  });

  it('not a call that was told to have none', async () => {
    const dependency = 'budget-test/none';
    const budget = defaultBudgets().for(dependency);
    while (budget.allows('retryable')) budget.take('retryable');
    const operation = failing();
    await silent(retry(operation, { ...atOnce, dependency }, { budget: false }));
    expect(operation).toHaveBeenCalledTimes(3);
  });
});
