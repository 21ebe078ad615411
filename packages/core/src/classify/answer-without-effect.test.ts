import { type Classifier, classify, retry } from '@redrive/core';
import { expect, it } from 'vitest';

const context = { attempt: 1, nowMs: 0 };

it.each(['final', 'retryable', 'rate_limited', 'ignored'] as const)(
  'a classifier need not name an effect: %s has the effect unknown',
  (errorClass) => {
    const classifier: Classifier = () => ({ errorClass });
    expect(classify(new Error('x'), { classify: classifier }, context)).toEqual({
      errorClass,
      effect: 'unknown',
    });
  },
);

it('retry obeys it', async () => {
  const error = new Error('no');
  const call = retry(() => Promise.reject(error), { classify: () => ({ errorClass: 'final' }) });
  await expect(call).rejects.toBe(error);
});
