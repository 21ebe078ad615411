import { definePolicy } from '@redrive/core';
import { expect, it } from 'vitest';
import { pauseWork } from '../control/kill-switches.ts';
import { runSweeps } from '../document/sweep-run.ts';
import { HOUR, MINUTE, sweepBench } from '../testing/sweep-bench.ts';
import { workBench } from '../testing/work-bench.ts';
import { lookAtEscalations, NOTIFY_HANDLER } from './look-at-escalations.ts';
import type { Notification } from './notify.ts';
import { DEFAULT_TIERS } from './tiers.ts';

const RULES = {
  tiers: DEFAULT_TIERS,
  hours: {
    timeZone: 'UTC',
    ...{ opensMinute: 540, closesMinute: 1_020, days: [1, 2, 3, 4, 5], holidays: [] },
  },
  resolveAfterMs: 15 * MINUTE,
};

/** Archives whose service died 30 hours ago: their events are sent, and nothing answers. */
async function deadService(maxAttempts: number, archives: number) {
  const minutes = { baseDelayMs: 5 * MINUTE, maxDelayMs: HOUR } as const;
  const policy = definePolicy({ ...minutes, id: 'documents.archives', maxAttempts });
  const bench = await sweepBench({ policy });
  const parts = { ...bench.parts, sweeps: [bench.sweep], intervalMs: 15 * MINUTE };
  const startMs = bench.clock.now();
  for (let n = 0; n < archives; n += 1)
    bench.put(`a-${n}`, { count: 1, agoMs: 30 * HOUR, status: 'processing' });
  const notified: { tier: number; hour: number; stuck: number; failed: number }[] = [];
  const notify = ({ tier, stuck, failed }: Notification) => {
    const hour = Math.floor((bench.clock.now() - startMs) / HOUR);
    notified.push({ tier, hour, stuck, failed });
  };
  const handlers = { [NOTIFY_HANDLER]: notify };
  const notifier = workBench(handlers, { store: bench.store, worker: 'w2' }, bench.clock);
  const work = async ({ jobs }: Pick<typeof bench, 'jobs'> | typeof notifier) => {
    await jobs.start();
    await bench.clock.advance(1_000);
    const stopped = jobs.stop();
    await bench.clock.advance(1_000);
    await stopped;
  };
  return {
    ...bench,
    notified,
    sweepAll: () => runSweeps(parts),
    /** Sweeps, sends the events, looks for rising tiers and notifies, every hour. */
    async pass(hours: number) {
      for (let hour = 0; hour < hours; hour += 1) {
        await runSweeps(parts);
        await work(bench);
        await lookAtEscalations(bench.store, RULES);
        await work(notifier);
        await bench.clock.advance(HOUR - 4_000);
      }
    },
  };
}

it('60 archives of a dead service are 60 stuck documents after the first sweep, and after every claim', async () => {
  const { sweepAll, pass } = await deadService(3, 60);
  const first = await sweepAll();
  expect(first.numbers.retry_job_stuck_documents).toEqual({ archives: 60 });
  expect(first.collections.get('archives')?.report.claimed).toBe(60);
  await pass(26);
  expect((await sweepAll()).numbers.retry_job_stuck_documents).toEqual({ archives: 60 });
});

it('a document that is stuck for more than 24 hours is tier 2 once, and tier 3 when its attempts run out', async () => {
  const { notified, pass } = await deadService(3, 1);
  await pass(24 * 4);
  expect(notified).toEqual([
    { tier: 2, hour: 24, stuck: 1, failed: 0 },
    { tier: 3, hour: 50, stuck: 0, failed: 1 },
  ]);
});

it('60 archives of a dead service are tier 2 after an hour, once, and tier 3 when their attempts run out', async () => {
  const { notified, pass } = await deadService(3, 60);
  await pass(24 * 4);
  expect(notified).toEqual([
    { tier: 2, hour: 1, stuck: 60, failed: 0 },
    { tier: 3, hour: 50, stuck: 0, failed: 60 },
  ]);
});

it('a document that is stuck for 7 days with max_attempts: 10 is tier 4', async () => {
  const { notified, pass } = await deadService(10, 1);
  await pass(24 * 8);
  expect(notified).toEqual([
    { tier: 2, hour: 24, stuck: 1, failed: 0 },
    { tier: 4, hour: 168, stuck: 1, failed: 0 },
  ]);
});

it('a document that was never attempted is stuck from the second sweep that finds it', async () => {
  const { sweepAll, put, clock } = await deadService(3, 0);
  put('new');
  const stuck = async () => (await sweepAll()).numbers.retry_job_stuck_documents;
  expect(await stuck()).toEqual({ archives: 0 });
  await clock.advance(15 * MINUTE);
  expect(await stuck()).toEqual({ archives: 1 });
});

it('a document that was never attempted stays stuck while sweeps are stopped', async () => {
  const { sweepAll, put, get, clock, store } = await deadService(3, 0);
  put('new');
  const actor = { name: 'cli:eve@host' };
  await pauseWork(store, { scope: 'queue', name: 'documents', actor });
  const stuck: unknown[] = [];
  const since: unknown[] = [];
  for (let sweep = 0; sweep < 6; sweep += 1) {
    const { numbers } = await sweepAll();
    stuck.push(Object(numbers.retry_job_stuck_documents).archives);
    since.push(Object(get('new').retry_sweep).firstStuckAt);
    await clock.advance(15 * MINUTE);
  }
  expect(stuck).toEqual([0, 1, 1, 1, 1, 1]);
  expect(new Set(since.slice(1)).size).toBe(1);
});

it('a document that was claimed before sweeps were stopped is stuck from its second sweep', async () => {
  const { sweepAll, put, get, clock, store } = await deadService(3, 0);
  put('new');
  const stuck: unknown[] = [];
  const actor = { name: 'cli:eve@host' };
  for (let sweep = 0; sweep < 4; sweep += 1) {
    const { numbers } = await sweepAll();
    stuck.push(Object(numbers.retry_job_stuck_documents).archives);
    await pauseWork(store, { scope: 'queue', name: 'documents', actor });
    await clock.advance(15 * MINUTE);
  }
  expect(stuck).toEqual([0, 1, 1, 1]);
  expect(get('new').retry_sweep).toMatchObject({ sent: false, attempt: 1 });
});

it('a document that was never attempted is stuck from its second sweep, also if its job is cancelled each time', async () => {
  const { sweepAll, put, clock, store, jobs } = await deadService(3, 0);
  put('new');
  const stuck: unknown[] = [];
  for (let sweep = 0; sweep < 4; sweep += 1) {
    const { numbers } = await sweepAll();
    stuck.push(Object(numbers.retry_job_stuck_documents).archives);
    const sending = await store.jobs({ states: ['ready'] }, { limit: 10 });
    for (const { id } of sending.jobs) await jobs.cancel(id);
    await clock.advance(15 * MINUTE);
  }
  expect(stuck).toEqual([0, 1, 1, 1]);
});

it('a service that finishes a document without touching the marker ends its being stuck', async () => {
  const { sweepAll, put, get, clock } = await deadService(3, 1);
  expect((await sweepAll()).numbers.retry_job_stuck_documents).toEqual({ archives: 1 });
  const { retry_sweep } = get('a-0');
  put('a-0', { ...get('a-0'), status: 'processed' });
  expect(get('a-0').retry_sweep).toEqual(retry_sweep);
  await clock.advance(15 * MINUTE);
  expect((await sweepAll()).numbers.retry_job_stuck_documents).toEqual({ archives: 0 });
  expect(Object(get('a-0').retry_sweep)).not.toHaveProperty('firstStuckAt');
});

it.each([
  ['pending', { attemptCount: 0, lastAttemptTime: null }],
  ['failed_max_retries', { attemptCount: 0, lastAttemptTime: null, status: 'pending' }],
])(
  'a %s document whose owner puts its count back is not stuck any more, until it is found again',
  async (status, values) => {
    const { sweepAll, put, get, clock } = await deadService(3, 1);
    await sweepAll();
    const mark = { ...Object(get('a-0').retry_sweep), sent: true };
    expect(mark).toHaveProperty('firstStuckAt');
    put('a-0', { ...get('a-0'), status, attemptCount: 2, retry_sweep: mark });
    put('a-0', { ...get('a-0'), ...values });
    const stuck: unknown[] = [];
    const since: unknown[] = [];
    for (let sweep = 0; sweep < 3; sweep += 1) {
      await clock.advance(15 * MINUTE);
      const { numbers } = await sweepAll();
      stuck.push(Object(numbers.retry_job_stuck_documents).archives);
      since.push(Object(get('a-0').retry_sweep).firstStuckAt);
    }
    expect(stuck).toEqual([0, 1, 1]);
    expect(since).toEqual([undefined, since[1], since[1]]);
  },
);
