import {
  type Classification,
  circuitBreaker,
  isRetryError,
  type Policy,
  retry,
  retryBudget,
} from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';
import type { ClassifyContext } from '../classify/classification.ts';

interface Reply {
  readonly status: number;
}
const busy = { status: 503 };
const wrong = { status: 400 };
const fine = { status: 200 };
const byStatus = (value: unknown): Classification | undefined => {
  const { status } = value as Reply; // The operations here return nothing else.
  if (status === 503) return { errorClass: 'retryable', effect: 'none' };
  if (status === 429) return { errorClass: 'rate_limited', effect: 'none', retryAfterMs: 5_000 };
  return status === 400 ? { errorClass: 'final', effect: 'none' } : undefined;
};
const policy: Policy = { classifyResult: byStatus, baseDelayMs: 100, jitter: 'none' };

const replies = (...answers: Reply[]) =>
  vi.fn(async ({ attempt }: { attempt: number }) => answers[attempt - 1]);

async function settled(call: Promise<unknown>, clock = virtualClock()) {
  const [result] = await Promise.all([call.catch((error: unknown) => error), clock.runAll()]);
  return result;
}

describe('a returned value that counts as a failure', () => {
  it('is retried until a value does not', async () => {
    const clock = virtualClock();
    const operation = replies(busy, busy, fine);
    expect(await settled(retry(operation, policy, { clock }), clock)).toBe(fine);
    expect(operation).toHaveBeenCalledTimes(3);
    expect(clock.monotonic()).toBe(300);
  });

  it('is returned when it is final: the caller sees what was answered', async () => {
    const clock = virtualClock();
    const operation = replies(busy, wrong, fine);
    expect(await settled(retry(operation, policy, { clock }), clock)).toBe(wrong);
    expect(operation).toHaveBeenCalledTimes(2);
    expect(await retry(replies(wrong), policy)).toBe(wrong);
  });

  it('is the cause when the session gives up on it', async () => {
    const clock = virtualClock();
    const error = await settled(retry(replies(busy, busy, busy), policy, { clock }), clock);
    if (!isRetryError(error, 'max_attempts_exceeded')) expect.fail(String(error));
    expect(error.cause).toBe(busy);
    expect(error.attempts.map((failure) => failure.error)).toEqual([busy, busy, busy]);
  });

  it('is told to the next attempt', async () => {
    const outcomes: unknown[] = [];
    const atOnce: Policy = { ...policy, backoff: 'immediate' };
    await retry(({ attempt, lastOutcome }) => {
      outcomes.push(lastOutcome);
      if (attempt === 2) throw new Error('down');
      return attempt === 1 ? busy : fine;
    }, atOnce);
    expect(outcomes).toEqual([
      undefined,
      { kind: 'value', value: busy },
      { kind: 'error', error: new Error('down') },
    ]);
  });

  it('can ask for a wait', async () => {
    const clock = virtualClock();
    const call = retry(replies({ status: 429 }, fine), policy, { clock });
    await clock.advance(4_999);
    expect(clock.pendingTimers).toBe(1);
    expect(await settled(call, clock)).toBe(fine);
    expect(clock.monotonic()).toBeGreaterThanOrEqual(5_000);
  });

  it('earns no tokens', async () => {
    const clock = virtualClock();
    const budget = retryBudget({ clock, floorPerSecond: 0, burst: 10, ratio: 1 });
    await settled(retry(replies(busy, fine), policy, { clock, budget }), clock);
    // One taken for the retry, one deposited for its success.
    expect(budget.tokens).toBe(10);
    await settled(retry(replies(busy, wrong), policy, { clock, budget }), clock);
    expect(budget.tokens).toBe(9);
  });

  it('is judged with the attempt, the time and the signal at hand', async () => {
    const clock = virtualClock({ startMs: 5_000 });
    const { signal } = new AbortController();
    const contexts: ClassifyContext[] = [];
    const classifyResult = (value: unknown, context: ClassifyContext) => {
      contexts.push(context);
      return byStatus(value);
    };
    const options = { clock, signal };
    await settled(retry(replies(busy, fine), { ...policy, classifyResult }, options), clock);
    expect(contexts).toEqual([
      { attempt: 1, nowMs: 5_000, signal },
      { attempt: 2, nowMs: 5_100, signal },
    ]);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['answers null', () => null],
    ['answers false, as isBusy(value) && {…} does', () => false],
  ])('is a success where classifyResult %s', async (_, judge) => {
    const operation = replies(busy);
    // Plain JavaScript may do anything.
    expect(await retry(operation, { classifyResult: judge as () => undefined })).toBe(busy);
    expect(operation).toHaveBeenCalledTimes(1);
  });

  it.each<[string, unknown]>([
    ['an object without errorClass', { class: 'retryable' }],
    ['the class alone', 'retryable'],
    ['an unknown class', { errorClass: 'transient' }],
    ['true', true],
    ['a promise', Promise.resolve(undefined)],
  ])('is not silently a success where classifyResult answers %s', async (_, answer) => {
    const operation = replies(busy);
    const breaker = circuitBreaker({ threshold: 1 });
    const classifyResult = () => answer as undefined; // Plain JavaScript may answer anything.
    // The catch-all does not retry it: the next answer would be wrong too.
    const classify = () => ({ errorClass: 'retryable' }) as const;
    const call = retry(operation, { ...policy, classifyResult, classify }, { breaker });
    await expect(call).rejects.toMatchObject({
      name: 'RedriveError',
      code: 'invalid_policy',
      message:
        'errorClass of classifyResult must be one of final, retryable, rate_limited, ignored',
      cause: busy,
    });
    expect(operation).toHaveBeenCalledTimes(1);
    expect(breaker.state).toBe('closed');
  });
});
