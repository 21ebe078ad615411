import { definePolicy, retry } from '@redrive/core';
import { expect, it, vi } from 'vitest';

const events = { unclassified: 'final', maxAttempts: 8, backoff: 'immediate' } as const;

it('unclassified: final is part of the policy: a plain Error is called once', async () => {
  const error = new Error('nobody knows me');
  const operation = vi.fn(() => Promise.reject(error));
  await expect(retry(operation, definePolicy(events))).rejects.toBe(error);
  expect(operation).toHaveBeenCalledTimes(1);
});

it('an error that a rule knows is retried as ever', async () => {
  const operation = vi.fn(() => Promise.reject(Object.assign(new Error('x'), { status: 503 })));
  await expect(retry(operation, events)).rejects.toMatchObject({ totalAttempts: 8 });
});

it('the default is retryable', () => {
  expect(definePolicy().unclassified).toBe('retryable');
});
