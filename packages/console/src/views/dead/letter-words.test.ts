import { expect, test } from 'vitest';
import { historyText, requestTokens, titleOf } from '../bulk/operation-words.ts';
import { adviceFor, decisionText, type LetterDocument, verdictOf } from './letter-words.ts';

const attempt = (message: string, more: object = {}) =>
  ({
    error: { type: 'Error', message },
    reason: 'retryable_error',
    next_delay: 0.983,
    ...more,
  }) as never;

function letter(reason_code: string | null, more: object = {}): LetterDocument {
  const attempts = [attempt('reset'), attempt('reset')];
  const redrive = { reason_code, policy: { max_attempts: 3 }, attempts, generation: 1, ...more };
  return { redrive, attempt_count: 3, came_back: false } as never;
}

test.each([
  ['max_attempts_exceeded', 'Gave up after 3 of 3 attempts.'],
  ['final_error', 'Not retried: a final error.'],
  ['ttl_exceeded', 'Gave up: its deadline passed.'],
  ['budget_exhausted', 'Gave up: budget_exhausted.'],
  [null, 'Gave up.'],
])('the verdict on %s', (reason, text) => {
  expect(verdictOf(letter(reason))).toBe(text);
});

test('the advice says whether a requeue alone has helped', () => {
  expect(adviceFor(letter('max_attempts_exceeded'))).toContain(
    'Each attempt failed with the same error.',
  );
  const back = { ...letter('final_error', { generation: 3 }), came_back: true };
  expect(adviceFor(back)).toBe(
    'It was requeued 2 times and died again: correct the input or the service first.',
  );
});

test('what was decided after an attempt', () => {
  expect(decisionText(attempt(''))).toBe('retryable_error: retry after 983 ms');
  expect(decisionText(attempt('', { next_delay: null, reason: 'final_error' }))).toBe(
    'final_error: gave up',
  );
});

test('a bulk operation in words', () => {
  const of = (act: string, total: number | null) =>
    titleOf({ act, total, total_bounded: false } as never);
  expect([of('requeue', 8_936), of('purge', 1), of('cancel', null)]).toEqual([
    'Requeue 8,936 dead letters',
    'Purge 1 dead letter',
    'Cancel jobs',
  ]);
  const line = (event: string, detail: object) => historyText({ event, detail } as never, [1, 10]);
  expect([
    line('act', {}),
    line('control', { act: 'stage', stage: 2 }),
    line('control', { act: 'stage', stage: 3 }),
    line('control', { act: 'rate', ratePerSecond: 5 }),
    line('control', { state: 'running' }),
  ]).toEqual(['Submitted', 'Stage 10 began', 'The rest began', 'Rate: 5 per s', undefined]);
  expect(requestTokens({ filter: { fingerprint: 'fp1:a', handler: 'mail' } })).toEqual([
    ['group', 'fp1:a'],
    ['handler', 'mail'],
  ]);
});
