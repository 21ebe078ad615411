import { type Decision, decide, definePolicy } from '@redrive/core';
import { expect, test } from 'vitest';
import type { JobAttempt } from '../job/attempt-log.ts';
import { type RecordedInput, settleDetail, writableInput } from './decision-detail.ts';
import { BlockRecords, NO_TRANSITION } from './encode-block.ts';
import { recordsIn } from './read-body.ts';

const INPUT: RecordedInput = {
  account: { charged: 1, freeWaits: 0, freeWaitMs: 0, lastDelayMs: 0 },
  outcome: { kind: 'failure', errorClass: 'retryable', effect: 'none', retryAfterMs: 5_000 },
  rung: 'job',
  horizonMs: Infinity,
  canHandOver: false,
  timeLeftMs: Infinity,
  allowance: Infinity,
  budgetAllows: true,
  breakerOpenMs: 0,
  onUnknown: 'retry',
  random: 0.25,
};

const FAILED: JobAttempt = {
  generation: 1,
  attempt: 2,
  startedAtMs: 1_000,
  durationMs: 12,
  delayBeforeMs: 500,
  entry: 'failed',
  errorClass: 'retryable',
  error: { type: 'Error', message: 'no', stackTrace: 'Error: no\n  at x' },
  action: 'retry',
  reason: 'retryable_error',
  delayMs: 5_125,
  worker: 'worker:1',
  policyHash: 'abc',
  maxAttempts: 3,
  input: INPUT,
};

const DECISION: Decision = {
  action: 'retry',
  reason: 'retryable_error',
  delayMs: 5_125,
  charge: { entry: 'failed', budget: true },
};

/** The detail as the record in a block has it. */
function wholeDetail(attempt: JobAttempt, by?: string) {
  const records = new BlockRecords();
  const detail = settleDetail(attempt, DECISION, by);
  records.add({ id: 'a', event: 'settle', atMs: 1, ...NO_TRANSITION, ...detail });
  return recordsIn(records)[0]?.detail as { readonly input: RecordedInput }; // It has one record.
}

test('the end of an attempt is written with everything that its decision rests on', () => {
  expect(wholeDetail(FAILED)).toEqual({
    by: 'worker:1',
    attempt: 2,
    startedAtMs: 1_000,
    durationMs: 12,
    delayBeforeMs: 500,
    policy: 'abc',
    decide: 1,
    input: { ...INPUT, horizonMs: null, timeLeftMs: null, allowance: null },
    action: 'retry',
    reason: 'retryable_error',
    entry: 'failed',
    delayMs: 5_125,
    error: { type: 'Error', message: 'no' },
  });
});

test('attempts that differ only in their numbers share one detail', () => {
  const of = (attempt: number, input: Partial<RecordedInput>) =>
    settleDetail({ ...FAILED, attempt, input: { ...INPUT, ...input } }, DECISION).detail;
  const waited = of(2, { unchargedForMs: 5, timeLeftMs: 9, random: 0.5 });
  expect(of(3, { unchargedForMs: 70, timeLeftMs: 8, random: 0.75 })).toBe(waited);
  expect(wholeDetail({ ...FAILED, input: { ...INPUT, unchargedForMs: 70 } }).input).toMatchObject({
    unchargedForMs: 70,
  });
});

test('who rescues an attempt is named beside who lost it', () => {
  expect(wholeDetail(FAILED, 'rescue:2')).toMatchObject({
    by: 'rescue:2',
    worker: 'worker:1',
  });
});

test('a success has no input and no error', () => {
  const { input: _input, error: _error, ...rest } = FAILED;
  const detail = wholeDetail(rest);
  expect(detail).not.toHaveProperty('input');
  expect(detail).not.toHaveProperty('error');
});

test.each([Number.NaN, -1, -Infinity])('a hint that is none (%s) is left out', (retryAfterMs) => {
  const outcome = { ...INPUT.outcome, retryAfterMs } as RecordedInput['outcome'];
  const written = writableInput({ ...INPUT, outcome });
  const detail = wholeDetail({ ...FAILED, input: { ...INPUT, outcome } });
  expect(detail.input.outcome).toEqual(written.outcome);
  expect(written.outcome).not.toHaveProperty('retryAfterMs');
  const policy = definePolicy();
  expect(decide({ ...written, policy })).toEqual(decide({ ...INPUT, outcome, policy }));
});

test.each([0, 5, Infinity])('a hint (%s) stays', (retryAfterMs) => {
  const outcome = { ...INPUT.outcome, retryAfterMs } as RecordedInput['outcome'];
  expect(writableInput({ ...INPUT, outcome }).outcome).toEqual(outcome);
});
