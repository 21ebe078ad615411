import { type Policy, retry as plainRetry } from '@redrive/core';
import { currentAttempt, retry } from '@redrive/core/node';
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
    const left = await Promise.all(
      [2, 4, 8].map((maxAttempts) =>
        retry(
          async () => {
            await settle();
            return await retry((context) => context.allowance.left, atOnce);
          },
          { maxAttempts },
        ),
      ),
    );
    expect(left).toEqual([1, 3, 7]);
  });

  it('prefers a parent that is passed', async () => {
    const parent = { sessionId: 's', allowance: { left: 42 }, timeLeftMs: () => Infinity };
    const inner = () => retry((context) => context.allowance.left, atOnce, { parent });
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
    const left = await retry(
      () => plainRetry((context) => context.allowance.left, { maxAttempts: 9 }),
      atOnce,
    );
    expect(left).toBe(8);
  });

  it('takes neither policy nor options where none are given', async () => {
    expect(await retry(() => 'up')).toBe('up');
  });
});
