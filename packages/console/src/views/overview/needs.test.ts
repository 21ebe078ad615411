import { expect, test } from 'vitest';
import type { StatusDocument } from '../../status.ts';
import { needsOf, verdictOf } from './needs.ts';

const NOTHING = { kill_switches: [], escalations: [], without_worker: [], operations: [] };
const status = (of: object) => ({ ...NOTHING, ...of }) as unknown as StatusDocument;

const operation = (state: string) => ({
  ...{ id: 'op-1', act: 'requeue', state, came_back: 4, done: 10 },
  ...{ started_at: '2027-01-31T08:00:00Z', updated_at: '2027-01-31T08:05:00Z' },
  ramp: { stages: [10, 100], stop_share: 0.2, stage: 1, sent: 10, succeeded: 6, came_back: 4 },
});

test('a bulk operation that its ramp stopped needs a person; one that runs or is paused does not', () => {
  const [need, ...others] = needsOf(status({ operations: [operation('stopped')] }), []);
  expect(others).toEqual([]);
  expect(need).toMatchObject({
    tier: 'warning',
    title: 'Ramp stopped requeue op-1',
    since: '2027-01-31T08:05:00Z',
    amount: '4 of 10',
    growth: 'failed again',
    href: '/ops/op-1',
  });
  const calm = { operations: [operation('running'), operation('paused')] };
  expect(needsOf(status(calm), [])).toEqual([]);
});

test('the verdict counts the worst tier first', () => {
  const kill = { scope: 'queue', name: 'mail', by: 'ann', why: null, waiting: 3, bounded: false };
  const needs = needsOf(status({ kill_switches: [kill], operations: [operation('stopped')] }), []);
  expect(needs.map(({ tier }) => tier)).toEqual(['critical', 'warning']);
  expect(verdictOf(needs)).toEqual({
    first: 'One problem is critical.',
    second: 'One more needs a person.',
  });
  expect(verdictOf([]).first).toBe('Nothing needs a person.');
});
