import { jobsOn, memoryStore, runsElsewhere } from '@redrive/durable';
import type { JobFilter } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { jobCounts } from './job-counts.ts';
import { withoutUpkeep } from './job-filter.ts';
import { scheduledRetries } from './scheduled-retries.ts';

const run = runsElsewhere<object>();

/** 30 mails, 5 of them of a tenant, between 200 jobs of upkeep. */
async function busyStore() {
  const clock = virtualClock({ startMs: Date.parse('2027-01-31T08:00:00Z') });
  const store = memoryStore({ clock });
  const jobs = jobsOn(store, { mail: run, 'sweeps.run': run }, { clock, log: 'off' });
  for (let each = 0; each < 30; each++) {
    const tenant = each < 5 ? { tenant: 'acme' } : {};
    await jobs.enqueue('mail', {}, { ...tenant, delayMs: each === 0 ? 60_000 : 0 });
    for (let at = 0; at < 7 && each * 7 + at < 200; at++) await jobs.enqueue('sweeps.run', {});
  }
  return store;
}

test('jobs of upkeep are listed on request, and when the filter names them', async () => {
  const store = await busyStore();
  const handlers = async (filter: JobFilter) => {
    const { jobs } = await store.jobs(filter, { limit: 1_000 });
    const count = (name: string) => jobs.filter(({ handler }) => handler === name).length;
    return [count('mail'), count('sweeps.run')];
  };
  expect(await handlers({})).toEqual([30, 200]);
  expect(await handlers(withoutUpkeep({}))).toEqual([30, 0]);
  expect(await handlers(withoutUpkeep({ handler: 'sweeps.run' }))).toEqual([0, 200]);
});

test('jobs are counted by state, with the same filter', async () => {
  const store = await busyStore();
  const counts = async (filter: JobFilter, upkeep = false) => {
    const { states, bounded, upkeep: leftOut } = await jobCounts(store, filter, upkeep);
    return [states.ready, states.scheduled, bounded, leftOut];
  };
  expect(await counts({})).toEqual([29, 1, false, 200]);
  expect(await counts({}, true)).toEqual([229, 1, false, 0]);
  expect(await counts({ handler: 'mail' })).toEqual([29, 1, false, 0]);
  expect(await counts({ handler: 'sweeps.run' })).toEqual([200, 0, false, 0]);
  expect(await counts({ tenant: 'acme' })).toEqual([4, 1, false, 0]);
  expect(await counts({ queue: 'none' })).toEqual([0, 0, false, 0]);
  const few = { ...store, jobs: () => Promise.resolve({ jobs: [], next: 'more' }) };
  expect(await jobCounts(few, { tenant: 'acme' }, false)).toMatchObject({ bounded: true });
});

test('scheduled retries are those of the filter', async () => {
  const store = await busyStore();
  const total = async (filter: JobFilter) => {
    const { buckets } = await scheduledRetries(store, filter);
    return buckets.reduce((sum, count) => sum + count, 0);
  };
  expect(await total({ handler: 'mail' })).toBe(await total({ tenant: 'acme' }));
  expect(await total({ handler: 'sweeps.run' })).toBe(0);
});
