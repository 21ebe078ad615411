import type { JobAttempt } from '@redrive/durable/store';
import { NO_ATTEMPTS } from '@redrive/durable/store';
import { expect, it } from 'vitest';
import { decodeAttempts, encodeAttempts } from './attempts-code.ts';

const success: JobAttempt = {
  generation: 2,
  attempt: 3,
  startedAtMs: 1_767_225_600_000,
  durationMs: 12,
  delayBeforeMs: 500,
  entry: 'succeeded',
  action: 'succeed',
  reason: 'succeeded',
  worker: 'host-17-a',
  policyHash: 'sha-1',
  maxAttempts: 5,
};

const failure: JobAttempt = {
  ...success,
  entry: 'failed',
  action: 'retry',
  reason: 'retryable_error',
  delayMs: 2_000,
  errorClass: 'retryable',
  error: { type: 'Error', message: 'null' },
  input: {
    account: { charged: 1, freeWaits: 0, freeWaitMs: 0, lastDelayMs: 0 },
    outcome: {
      kind: 'failure',
      errorClass: 'retryable',
      effect: 'unknown',
      retryAfterMs: Infinity,
    },
    rung: 'job',
    horizonMs: Infinity,
    canHandOver: false,
    timeLeftMs: Infinity,
    allowance: Infinity,
    budgetAllows: true,
    breakerOpenMs: 0,
    onUnknown: 'retry',
    random: 0.5,
  },
};

it.each<[string, JobAttempt]>([
  ['a success', success],
  ['a success that was followed by a wait', { ...success, delayMs: 0 }],
  ['one with a class only', { ...success, errorClass: 'final' }],
  ['one with an error only', { ...success, error: { type: 'E', message: '' } }],
  ['a failure with all that its decision rests on', failure],
])('comes back as it was: %s', (_, attempt) => {
  const log = { kept: [success, attempt], omitted: 7 };
  expect(decodeAttempts(encodeAttempts(log))).toEqual(log);
});

it('keeps nothing where there was none', () => {
  expect(encodeAttempts(NO_ATTEMPTS)).toBeNull();
  expect(decodeAttempts(null)).toBe(NO_ATTEMPTS);
  expect(decodeAttempts(encodeAttempts({ kept: [], omitted: 1 }))).toEqual({
    kept: [],
    omitted: 1,
  });
});

it('takes little for a success', () => {
  expect(encodeAttempts({ kept: [success], omitted: 0 })?.length).toBeLessThan(110);
});
