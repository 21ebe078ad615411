import { type Policy, retry as plainRetry } from '@redrive/core';
import { type CurrentAttempt, currentAttempt, retry, runInAttempt } from '@redrive/core/node';
import { settle, virtualClock } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';

const atOnce: Policy = { backoff: 'immediate', maxAttempts: 3 };
const down = new Error('down');

describe('retry of @redrive/core/node', () => {
  it('shares one account with the retry around it, without passing anything', async () => {
    const operation = vi.fn(() => Promise.reject(down));
    const policy = { ...atOnce, retryInnerFailures: true };
    const deep = async () => {
      await settle();
      return await retry(operation, policy);
    };
    await expect(retry(() => retry(deep, policy), policy)).rejects.toMatchObject({
      reason: 'allowance_exhausted',
    });
    expect(operation).toHaveBeenCalledTimes(3);
  });

  it('has the deadline of the retry around it', async () => {
    const clock = virtualClock();
    const inner = () => retry((context) => context.timeLeftMs(), {}, { clock });
    expect(await retry(inner, { ttlMs: 700 }, { clock })).toBe(700);
  });

  it('keeps calls side by side apart', async () => {
    const counters = await Promise.all(
      [2, 4, 8].map((maxAttempts) =>
        retry(
          async (outer) => {
            await settle();
            const inner = await retry((context) => context.retries, atOnce);
            expect(inner).toBe(outer.retries);
            return inner;
          },
          { maxAttempts },
        ),
      ),
    );
    expect(new Set(counters).size).toBe(3);
  });

  it('prefers a parent that is passed', async () => {
    const parent = { sessionId: 's', retries: { count: 42 }, timeLeftMs: () => Infinity };
    const inner = () => retry((context) => context.retries.count, atOnce, { parent });
    expect(await retry(inner, atOnce)).toBe(42);
  });

  it('knows the attempt it runs in, in every attempt, and none outside', async () => {
    const seen: unknown[] = [];
    expect(currentAttempt()).toBeUndefined();
    await retry(async ({ attempt }) => {
      await settle();
      seen.push(currentAttempt()?.attempt);
      if (attempt < 3) throw down;
    }, atOnce);
    expect(seen).toEqual([1, 2, 3]);
    expect(currentAttempt()).toBeUndefined();
  });

  it('leaves calls of the plain retry alone', async () => {
    await retry(async (outer) => {
      const inner = await plainRetry((context) => context.retries, { maxAttempts: 9 });
      expect(inner).not.toBe(outer.retries);
    }, atOnce);
  });

  it.each<[unknown, unknown, string]>([
    [Promise.resolve(1), {}, 'The operation must be a function, not a promise: pass a function'],
    [undefined, {}, 'The operation must be a function, not undefined'],
    [() => 1, null, 'Invalid options: it must be an object, not null'],
    [() => 1, 'x', 'Invalid options: it must be an object, not the string "x"'],
  ])(
    'refuses %o with options %o as the plain one does, by a rejection',
    async (operation, options, message) => {
      // @ts-expect-error: plain JavaScript may pass anything
      const call = () => retry(operation, {}, options);
      for (const refused of [call(), retry(() => call(), atOnce)]) {
        await expect(refused).rejects.toMatchObject({
          code: 'invalid_option',
          message: expect.stringContaining(message),
        });
      }
    },
  );

  it('takes neither policy nor options where none are given', async () => {
    expect(await retry(() => 'up')).toBe('up');
  });
});

describe('runInAttempt', () => {
  it('3 and 3 are 3 calls in one attempt of a job, without passing parent', async () => {
    const operation = vi.fn(() => Promise.reject(down));
    const policy = { ...atOnce, retryInnerFailures: true };
    const attempt: CurrentAttempt = {
      sessionId: 'job-1',
      attempt: 4,
      maxAttempts: 8,
      idempotencyKey: 'order-7',
      signal: new AbortController().signal,
      retries: { count: 0 },
      timeLeftMs: () => Infinity,
      inJob: true,
    };
    const handler = async () => {
      await settle();
      expect(currentAttempt()).toBe(attempt);
      await retry(() => retry(operation, policy), policy);
    };
    await expect(runInAttempt(attempt, handler)).rejects.toMatchObject({
      reason: 'allowance_exhausted',
    });
    expect(operation).toHaveBeenCalledTimes(3);
    expect(currentAttempt()).toBeUndefined();
  });
});
