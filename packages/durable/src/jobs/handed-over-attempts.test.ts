import { definePolicy, type HandedOverWork } from '@redrive/core';
import { expect, it } from 'vitest';
import { MAX_KEPT_ATTEMPTS } from '../job/attempt-log.ts';
import { handedOverAttempts } from './hand-over.ts';

function work(totalAttempts: number, told = totalAttempts): HandedOverWork {
  const error = new Error('password=hunter2 refused');
  return {
    ...{ sessionId: 's', operation: 'op', policyId: 'calls', handler: 'send', payload: null },
    ...{ delayMs: 60_000, timeLeftMs: Infinity, rung: 'call', idempotencyKey: 's', totalAttempts },
    policy: definePolicy({ id: 'calls', maxAttempts: 500 }),
    lastError: error,
    attempts: Array.from({ length: told }, (_, at) => ({
      attempt: at === 0 ? 1 : totalAttempts - told + at + 1,
      ...{ startedAtMs: 1_000 * at, durationMs: 1.23456, delayBeforeMs: 10, delayMs: 20 },
      ...{ errorClass: 'retryable', effect: 'unknown', reason: 'retryable_error', error },
    })),
  };
}

it('keeps every attempt of a call, with its rung, its policy and a masked error', () => {
  const { kept, omitted } = handedOverAttempts(work(2), 'app');
  expect(omitted).toBe(0);
  expect(kept).toMatchObject([
    { attempt: 1, rung: 'call', entry: 'failed', action: 'retry', durationMs: 1.235 },
    { attempt: 2, rung: 'call', action: 'hand-over', policyId: 'calls', maxAttempts: 500 },
  ]);
  expect(kept[1]?.worker).toBe('app');
  expect(kept[1]?.error?.message).not.toContain('hunter2');
});

it('is bounded: the first one and the newest stay, and the others are counted', () => {
  const { kept, omitted } = handedOverAttempts(work(400, 100), 'app');
  expect(kept.length).toBe(MAX_KEPT_ATTEMPTS);
  expect(kept.length + omitted).toBe(400);
  expect([kept[0]?.attempt, kept[1]?.attempt, kept.at(-1)?.attempt]).toEqual([1, 377, 400]);
});
