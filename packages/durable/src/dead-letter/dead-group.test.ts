import { expect, test } from 'vitest';
import type { JobAttempt } from '../job/attempt-log.ts';
import { deadGroupOf } from './dead-group.ts';
import { fingerprintOf } from './fingerprint.ts';

const DOWN = { type: 'Error', message: 'down' };

function attempt(generation: number, error?: typeof DOWN): JobAttempt {
  // Only what the group is made of.
  return { generation, error } as JobAttempt;
}

test('the newest error of the newest generation makes the group', () => {
  const other = { type: 'TypeError', message: 'other' };
  const attempts = [attempt(1, other), attempt(2, DOWN), attempt(2)];
  expect(deadGroupOf('charge', attempts, 'max_attempts_exceeded')).toEqual(
    fingerprintOf(DOWN, 'charge'),
  );
});

test('a death without an error is not that of an earlier generation', () => {
  const reason = fingerprintOf({ type: 'max_attempts_exceeded', message: '' });
  expect(deadGroupOf('charge', [attempt(1, DOWN), attempt(2)], 'max_attempts_exceeded')).toEqual(
    reason,
  );
  expect(deadGroupOf('charge', [], 'max_attempts_exceeded')).toEqual(reason);
});
