import { RedriveError } from '@redrive/core';
import { describe, expect, it } from 'vitest';
import { verifyAudit } from '../audit/verify.ts';
import { forceBreaker, resetBreaker } from '../control/breakers.ts';
import { schedules } from '../control/schedules.ts';
import { HOUR, MINUTE, sweepBench } from '../testing/sweep-bench.ts';
import type { Sweep } from './sweep.ts';
import { SWEEP_HANDLER } from './sweep-numbers.ts';
import { type RunOptions, runSweeps, sweepHandler } from './sweep-run.ts';

const DAY = 24 * HOUR;
const actor = { name: 'cli:eve@host' };

async function runBench(more: Partial<Sweep> = {}) {
  const bench = await sweepBench(more);
  const parts = { ...bench.parts, sweeps: [bench.sweep], intervalMs: 15 * MINUTE };
  return {
    ...{ ...bench, parts },
    sweepAll: (options?: RunOptions) => runSweeps(parts, options),
    /** Lets a worker send the events. */
    async work() {
      await bench.jobs.start();
      await bench.clock.advance(1_000);
      const stopped = bench.jobs.stop();
      await bench.clock.advance(1_000);
      await stopped;
      await bench.counter.written();
    },
  };
}

it('keeps its numbers in the schedule, cumulative over runs, and 0 when all is well', async () => {
  const bench = await runBench();
  const first = await bench.sweepAll();
  expect(first.numbers).toMatchObject({
    retry_job_documents_requeued_total: { archives: 0 },
    retry_job_documents_skipped_backoff_total: { archives: 0 },
    retry_job_documents_max_retries_exceeded_total: { archives: 0 },
    retry_job_runs_total: { success: 1, failure: 0 },
    retry_job_errors_total: { invalid_document: 0 },
    retry_job_stuck_documents: { archives: 0 },
    retry_job_failed_documents: { archives: 0 },
    retry_job_duration_seconds_count: 1,
  });
  bench.put('a');
  bench.put('b', { count: 3, agoMs: DAY + 1 });
  bench.put('c', { count: 1.5 });
  await bench.sweepAll();
  await bench.work();
  const { numbers } = await bench.sweepAll();
  expect(numbers).toMatchObject({
    retry_job_documents_requeued_total: { archives: 1 },
    retry_job_documents_max_retries_exceeded_total: { archives: 1 },
    retry_job_runs_total: { success: 3, failure: 0 },
    retry_job_errors_total: { invalid_document: 2 },
    retry_job_stuck_documents: { archives: 0 },
    retry_job_failed_documents: { archives: 1 },
    retry_job_documents_waiting: { archives: 0 },
    retry_job_duration_seconds_bucket: { '+Inf': 3 },
  });
});

it('keeps the time of the last success, and of the document that is stuck for the longest time', async () => {
  const bench = await runBench();
  const totals = async () => (await schedules(bench.parts.store)).schedules[0]?.totals ?? {};
  const oldest = 'redrive_oldest_stuck_document_timestamp_seconds{archives}';
  bench.put('a', { count: 1, agoMs: 3 * DAY });
  const startMs = bench.clock.now();
  await bench.sweepAll();
  expect(await totals()).toMatchObject({
    retry_job_last_success_timestamp_seconds: startMs / 1_000,
    [oldest]: startMs / 1_000,
  });
  bench.clock.tick(MINUTE);
  bench.put('b', { count: 1, agoMs: 2 * DAY });
  await bench.sweepAll();
  expect(await totals()).toMatchObject({ [oldest]: startMs / 1_000 });
  bench.put('a', { status: 'processed' });
  await bench.sweepAll();
  expect(await totals()).toMatchObject({ [oldest]: startMs / 1_000 + 60 });
  bench.put('b', { status: 'processed' });
  await bench.sweepAll();
  expect(await totals()).not.toHaveProperty([oldest]);
  const away = async () => {
    throw new RedriveError('documents_unavailable', 'The database is away');
  };
  const source = { ...bench.sweep.source, prepare: away } as unknown as Sweep['source']; // It is called first.
  bench.clock.tick(MINUTE);
  await runSweeps({ ...bench.parts, sweeps: [{ ...bench.sweep, source }] });
  expect((await totals()).retry_job_last_success_timestamp_seconds).toBe(startMs / 1_000 + 60);
});

it('a run in which one collection failed is a failure, and the others are swept', async () => {
  const bench = await runBench();
  bench.put('a');
  const away = async () => {
    throw new RedriveError('documents_unavailable', 'The database is away');
  };
  const source = { ...bench.sweep.source, find: away, byIds: away, prepare: away, count: away };
  const broken = { ...bench.sweep, name: 'broken', source } as unknown as Sweep;
  const report = await runSweeps({ ...bench.parts, sweeps: [broken, bench.sweep] });
  expect(report.status).toBe('failure');
  expect(report.collections.get('archives')?.report).toMatchObject({ claimed: 1 });
  expect(report.numbers).toMatchObject({
    retry_job_runs_total: { success: 0, failure: 1 },
    retry_job_errors_total: { documents_unavailable: 1 },
  });
  expect(bench.sweepNotices).toMatchObject([{ kind: 'sweep_failed', collection: 'broken' }]);
});

it('runs as a schedule, one run at a time', async () => {
  const bench = await sweepBench();
  const parts = { ...bench.parts, sweeps: [bench.sweep], intervalMs: 15 * MINUTE };
  const { workBench } = await import('../testing/work-bench.ts');
  const handlers = { [SWEEP_HANDLER]: sweepHandler(parts) };
  const { jobs } = workBench(handlers, { store: bench.store, worker: 'w2' }, bench.clock);
  jobs.schedule(SWEEP_HANDLER, { handler: SWEEP_HANDLER, everyMs: 15 * MINUTE });
  await bench.jobs.start();
  await jobs.start();
  bench.put('a');
  await bench.clock.advance(15 * MINUTE + 5_000);
  expect((await bench.sent()).map(({ json }) => json.event_type)).toEqual(['ArchiveIngested']);
  await bench.clock.advance(15 * MINUTE);
  const { schedules: all } = await schedules(bench.store);
  expect(all[0]?.totals).toMatchObject({ enqueued: 2, 'retry_job_runs_total{success}': 2 });
});

it('dynamic back-off: backs off longer while less than half of the documents of the last sweep are done', async () => {
  const bench = await runBench({ thresholdMs: MINUTE, dynamicBackoff: true });
  for (let n = 0; n < 10; n += 1) bench.put(`d${n}`, { count: 1, agoMs: HOUR });
  await bench.sweepAll();
  await bench.work();
  // 2 of 10 are done: a back-off of 10 minutes becomes 50.
  for (const id of ['d0', 'd1']) bench.put(id, { status: 'processed' });
  await bench.clock.advance(15 * MINUTE);
  const slow = await bench.sweepAll();
  expect(slow.collections.get('archives')?.report).toMatchObject({
    claimed: 0,
    skippedBackoff: 8,
  });
  for (const id of ['d2', 'd3', 'd4']) bench.put(id, { status: 'processed' });
  const healthy = await bench.sweepAll();
  expect(healthy.collections.get('archives')?.report).toMatchObject({ claimed: 5 });
});

describe('back-off beside three new documents whose events were sent before', () => {
  const setUp = async (dynamicBackoff: boolean) => {
    const bench = await runBench({ thresholdMs: MINUTE, dynamicBackoff });
    const sweep = async () => {
      const swept = (await bench.sweepAll()).collections.get('archives');
      return { claimed: swept?.report.claimed, factor: swept?.factor };
    };
    for (const id of ['new-1', 'new-2', 'new-3']) bench.put(id);
    expect(await sweep()).toEqual({ claimed: 3, factor: 1 });
    return { ...bench, sweep };
  };
  const waited = { count: 2, agoMs: 11 * MINUTE };

  it('is that of the policy without dynamic_backoff, although none of them is done', async () => {
    const { put, work, clock, sweep } = await setUp(false);
    await work();
    await clock.advance(HOUR);
    put('old', waited);
    expect(await sweep()).toEqual({ claimed: 4, factor: 1 });
  });

  it('is not longer with dynamic_backoff while their events wait for the broker', async () => {
    const { put, clock, sweep } = await setUp(true);
    await clock.advance(2 * MINUTE);
    put('old', waited);
    expect(await sweep()).toEqual({ claimed: 1, factor: 1 });
  });

  it('is longer with dynamic_backoff only when their events had time to be processed', async () => {
    const { put, work, clock, sweep } = await setUp(true);
    await clock.advance(2 * MINUTE);
    await sweep();
    await work();
    put('old', waited);
    expect(await sweep()).toEqual({ claimed: 1, factor: 1 });
    await work();
    await clock.advance(2 * MINUTE);
    put('older', waited);
    // The three are due again at once, as the policy says: 8 times no back-off is none.
    expect(await sweep()).toEqual({ claimed: 3, factor: 8 });
  });
});

it('dynamic back-off judges the events of an earlier sweep when they had time, whatever later sweeps sent', async () => {
  const bench = await runBench({ thresholdMs: 30 * MINUTE, dynamicBackoff: true });
  const ids = Array.from({ length: 10 }, (_, n) => `d${n}`);
  for (const id of ids) bench.put(id, { count: 1, agoMs: HOUR });
  await bench.sweepAll();
  await bench.work();
  await bench.clock.advance(15 * MINUTE);
  bench.put('later', { count: 1, agoMs: HOUR });
  await bench.sweepAll();
  await bench.work();
  await bench.clock.advance(16 * MINUTE);
  const slow = (await bench.sweepAll()).collections.get('archives');
  expect(slow?.factor).toBe(8);
  expect(slow?.report).toMatchObject({ claimed: 0, skippedBackoff: 10 });
});

it('a dependency that is down for ten minutes: none of its documents is claimed, the others are; then a paced return', async () => {
  const dependency = 'parser';
  const bench = await runBench({ dependency, thresholdMs: MINUTE });
  const { collection } = bench.sweep;
  const others = { ...bench.sweep, name: 'chunks', dependency: '' };
  const chunks = { ...others, collection: { ...collection, name: 'chunks' } };
  const parts = { ...bench.parts, sweeps: [bench.sweep, chunks] };
  const lastAttemptTime = new Date(bench.clock.now() - HOUR);
  const stuck = { status: 'pending', attemptCount: 1, lastAttemptTime };
  for (let n = 0; n < 2_600; n += 1) bench.documents.put(collection, { _id: `a${n}`, ...stuck });
  const run = async () => {
    const { status, collections } = await runSweeps(parts);
    const [archives, rest] = ['archives', 'chunks'].map((name) => collections.get(name)?.report);
    return { status, sent: [archives?.claimed, rest?.claimed], stopped: archives?.stopped };
  };
  await forceBreaker(bench.store, { dependency, state: 'open', actor });
  const firstStuckAt = new Date(bench.clock.now());
  for (let minute = 0; minute < 10; minute += 1) {
    bench.documents.put(chunks.collection, { _id: `c${minute}`, ...stuck });
    const stopped = 'the breaker of parser is open';
    expect(await run()).toEqual({ status: 'success', sent: [0, 1], stopped });
    await bench.clock.advance(MINUTE);
  }
  expect(bench.get('a0')).toMatchObject({ attemptCount: 1, lastAttemptTime });
  expect(bench.get('a0').retry_sweep).toEqual({ firstStuckAt });
  await resetBreaker(bench.store, { dependency, actor });
  expect([await run(), await run(), await run()].map(({ sent }) => sent[0])).toEqual([
    500, 1_000, 1_100,
  ]);
  // Each document was decided about once, and each decision follows again from its record.
  const verification = await verifyAudit(await bench.store.readAudit());
  expect(verification).toMatchObject({ ok: true, problems: [] });
  expect(verification.decisions).toBe(2_610);
});

it('a collection above 10,000 documents is refused without its indexes', async () => {
  const bench = await runBench();
  bench.put('a');
  let count = 10_000;
  Object.assign(bench.sweep.source, {
    prepare: async () => ['index redrive_stuck on archives'],
    count: async (_: unknown, { set }: { set: string }) => (set === 'all' ? count : 0),
  });
  expect((await bench.sweepAll()).status).toBe('success');
  count = 10_001;
  const { status, collections } = await bench.sweepAll();
  expect(status).toBe('failure');
  expect(String(collections.get('archives')?.error)).toContain('Run "redrive sweep init archives"');
});

const unavailable = () => new RedriveError('documents_unavailable', 'The database is away');

it('a failed sweep keeps the numbers of the documents that it has sent, and its place', async () => {
  const bench = await runBench();
  for (let n = 0; n < 600; n += 1) bench.put(`d${n}`, { count: 1, agoMs: DAY + HOUR + n });
  const { source } = bench.sweep;
  const find = source.find.bind(source);
  let isAway = true;
  Object.assign(source, {
    find: async (...args: Parameters<typeof find>) => {
      if (isAway && args[1].set === 'due' && args[1].after) throw unavailable();
      return find(...args);
    },
  });
  const { status, collections, numbers } = await bench.sweepAll();
  expect(status).toBe('failure');
  expect(collections.get('archives')).toMatchObject({
    errorType: 'documents_unavailable',
    report: { claimed: 500 },
  });
  expect(numbers).toMatchObject({ retry_job_runs_total: { failure: 1 } });
  expect((await positionOf(bench)).after).toBeDefined();
  isAway = false;
  const next = await bench.sweepAll();
  expect(next.collections.get('archives')).toMatchObject({ report: { claimed: 100 } });
});

it('a count that fails costs no number of the sweep', async () => {
  const bench = await runBench();
  bench.put('a');
  Object.assign(bench.sweep.source, {
    count: async () => {
      throw unavailable();
    },
  });
  const { status, numbers } = await bench.sweepAll();
  expect(status).toBe('failure');
  expect(numbers).toMatchObject({
    retry_job_documents_requeued_total: { archives: 0 },
    retry_job_errors_total: { documents_unavailable: 1 },
  });
});

async function positionOf(bench: Awaited<ReturnType<typeof runBench>>) {
  const { schedules: all } = await schedules(bench.store);
  return JSON.parse(all[0]?.position ?? '{}').archives;
}

it('a limit by hand leaves the paced return as it is', async () => {
  const dependency = 'parser';
  const bench = await runBench({ dependency, thresholdMs: MINUTE });
  for (let n = 0; n < 1_200; n += 1) bench.put(`d${n}`, { count: 1, agoMs: HOUR + n });
  await forceBreaker(bench.store, { dependency, state: 'open', actor });
  await bench.sweepAll();
  await resetBreaker(bench.store, { dependency, actor });
  await bench.sweepAll({ limit: 10 });
  const { collections } = await bench.sweepAll();
  expect(collections.get('archives')?.report).toMatchObject({ claimed: 500 });
});

it('a cursor that the source refuses fails one run, and the next one begins anew', async () => {
  const bench = await runBench();
  for (let n = 0; n < 600; n += 1) bench.put(`d${n}`, { count: 1, agoMs: DAY + HOUR + n });
  const { source } = bench.sweep;
  const find = source.find.bind(source);
  let isOther = false;
  Object.assign(source, {
    find: async (...args: Parameters<typeof find>) => {
      if (args[1].set === 'due' && args[1].after && !isOther) throw unavailable();
      if (isOther && args[1].after) throw new RedriveError('documents_refused', 'No such cursor');
      return find(...args);
    },
  });
  await bench.sweepAll();
  isOther = true;
  expect((await bench.sweepAll()).status).toBe('failure');
  const last = await bench.sweepAll();
  expect(last.collections.get('archives')).toMatchObject({ report: { claimed: 100 } });
  expect(last.status).toBe('success');
});

it('a run over all collections drops the gauges of a collection that is not configured any more', async () => {
  const bench = await runBench();
  const sweeps = [bench.sweep, { ...bench.sweep, name: 'old' }];
  const gauges = async (parts: Parameters<typeof runSweeps>[0], options?: RunOptions) =>
    (await runSweeps(parts, options)).numbers.retry_job_stuck_documents;
  expect(await gauges({ ...bench.parts, sweeps })).toEqual({ archives: 0, old: 0 });
  expect(await gauges(bench.parts, { isPartial: true })).toEqual({ archives: 0, old: 0 });
  const { numbers } = await runSweeps(bench.parts);
  expect(numbers.retry_job_stuck_documents).toEqual({ archives: 0 });
  expect(numbers.retry_job_failed_documents).toEqual({ archives: 0 });
  expect(numbers.retry_job_documents_requeued_total).toEqual({ archives: 0, old: 0 });
});

it('a run over all collections drops the place of a collection that is not configured any more', async () => {
  const bench = await runBench();
  const places = async (sweeps: readonly Sweep[], options?: RunOptions) => {
    await runSweeps({ ...bench.parts, sweeps }, options);
    const { schedules: all } = await schedules(bench.store);
    return Object.keys(JSON.parse(all[0]?.position ?? '{}'));
  };
  const old = { ...bench.sweep, name: 'old' };
  expect(await places([bench.sweep, old])).toEqual(['archives', 'old']);
  expect(await places([bench.sweep], { isPartial: true })).toEqual(['archives', 'old']);
  expect(await places([bench.sweep])).toEqual(['archives']);
});

it('reports its progress after each page', async () => {
  const bench = await runBench();
  for (let n = 0; n < 1_200; n += 1) bench.put(`d${n}`, { count: 1, agoMs: DAY + HOUR + n });
  const seen: unknown[] = [];
  await bench.sweepAll({ onPage: (name, { claimed }) => seen.push([name, claimed]) });
  expect(seen).toEqual([0, 0, 500, 1_000, 1_200].map((sent) => ['archives', sent]));
});

it('a run begins with the collection after the last one that had time', async () => {
  const bench = await runBench();
  const order: string[] = [];
  const sweeps = ['a', 'b', 'c'].map((name) => {
    const source = { ...bench.sweep.source } as Sweep['source'];
    const { documents } = bench;
    for (const verb of ['find', 'count', 'byIds', 'prepare'] as const)
      Object.assign(source, { [verb]: documents[verb].bind(documents) });
    source.prepare = async () => {
      order.push(name);
      await bench.clock.advance(15 * MINUTE);
      return [];
    };
    return { ...bench.sweep, name, source };
  });
  for (let run = 0; run < 3; run += 1) await runSweeps({ ...bench.parts, sweeps });
  expect(order.join('')).toBe('abcbcacab');
});
