import { expect, test } from 'vitest';
import { QUARTER_MS, viewKey } from './note-read.ts';

const LOOK = {
  by: 'cli:ada@host',
  from: 'local',
  command: 'jobs list',
  reads: 'sessions',
  args: [],
};
const at = Date.UTC(2027, 0, 31, 8, 7);
const isOneView = (detail: object, nowMs = at) =>
  viewKey({ ...LOOK, ...detail }, nowMs) === viewKey(LOOK, at);

test('looks at one view have one key', () => {
  expect(isOneView({})).toBe(true);
  expect(isOneView({ after: '7.job-1', limit: '10' })).toBe(true);
  expect(viewKey({ args: [], by: 'x' }, at)).toBe(viewKey({ by: 'x', args: [] }, at));
});

test.each([
  ['person', { by: 'cli:bob@host' }],
  ['place', { from: 'ssh:203.0.113.7' }],
  ['reason', { why: 'INC-7' }],
  ['command', { command: 'dlq list' }],
  ['filter', { tenant: 'acme' }],
  ['subject', { args: ['job-1'] }],
])('another %s has another key', (_, detail) => {
  expect(isOneView(detail)).toBe(false);
});

test('a quarter of an hour is one of the clock', () => {
  expect(isOneView({}, Date.UTC(2027, 0, 31, 8, 0))).toBe(true);
  expect(isOneView({}, Date.UTC(2027, 0, 31, 8, 15) - 1)).toBe(true);
  expect(isOneView({}, Date.UTC(2027, 0, 31, 8, 15))).toBe(false);
  // A clock that was set back hides no look.
  expect(isOneView({}, at - QUARTER_MS)).toBe(false);
});
