import { breakerFromState } from '@redrive/core';
import { expect, test } from 'vitest';
import { breakerDocument, closedBreaker, countReport, forceBreaker } from './shared-breaker.ts';

const START_MS = Date.parse('2026-01-29T12:00:00.000Z');
const closed = closedBreaker({ threshold: 5, timeoutMs: 60_000 }, START_MS);

test('is the document of a breaker’s state, which a breaker of one process can go on from', () => {
  const troubled = countReport(closed, { failures: 2, succeeded: false }, START_MS, 0);
  const document = breakerDocument('browser_state_timeout', troubled, START_MS + 10);
  expect(document).toStrictEqual({
    policy_id: 'browser_state_timeout',
    state: 'closed',
    failure_count: 2,
    last_failure_time: '2026-01-29T12:00:00.000Z',
    threshold: 5,
    timeout: 60,
    last_state_change: '2026-01-29T12:00:00.000Z',
    redrive: { schema_version: 1, calls: 0, isolated: false },
  });
  expect(breakerFromState(document).failureCount).toBe(2);
});

test('without a failure there is no time of the last one', () => {
  expect(breakerDocument('mail', closed, START_MS)).not.toHaveProperty('last_failure_time');
});

test('says what holds at this moment: an operator’s word, and then what it is underneath', () => {
  const forced = { state: 'open', sinceMs: START_MS + 500, untilMs: START_MS + 1_000, by: 'ada' };
  const held = forceBreaker(closed, { ...forced, state: 'open' });
  expect(breakerDocument('mail', held, START_MS + 999)).toMatchObject({
    state: 'open',
    last_state_change: '2026-01-29T12:00:00.500Z',
    redrive: { isolated: true },
  });
  expect(breakerDocument('mail', held, START_MS + 1_000)).toMatchObject({
    state: 'closed',
    last_state_change: '2026-01-29T12:00:00.000Z',
    redrive: { isolated: false },
  });
});
