import { hostname } from 'node:os';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { liveWorkers } from '../live-workers/live-workers.ts';
import type { StoredWorker, WorkerStore } from '../live-workers/worker-store.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';

async function known(store: WorkerStore): Promise<readonly StoredWorker[]> {
  return (await store.workers({ limit: 100 })).workers;
}

function faulty() {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  return { clock, store: faultyStore(memoryStore({ clock })) };
}

describe('a worker is known to the store', () => {
  it('with name, host, pid, version, since, last seen, handlers, concurrency and running now', async () => {
    const { jobs, store, clock } = workBench(
      { sync: () => new Promise(() => {}), mail: () => {} },
      { concurrency: 4, queues: ['slow'] },
    );
    await jobs.start();
    await jobs.enqueue('sync', null, { queue: 'slow' });
    await clock.advance(12_000);
    expect(await known(store)).toEqual([
      {
        name: expect.stringMatching(/^w1-/u),
        host: hostname(),
        pid: process.pid,
        version: expect.stringMatching(/^\d+\.\d+\.\d+/u),
        handlers: ['sync', 'mail'],
        moreHandlers: 0,
        queues: ['slow'],
        moreQueues: 0,
        stalled: [],
        moreStalled: 0,
        concurrency: 4,
        running: 1,
        state: 'working',
        sinceMs: START_MS,
        seenAtMs: START_MS + 10_000,
      },
    ]);
  });

  it('until it stops: stopping while something runs, then not at all', async () => {
    let finish = () => {};
    const run = () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      });
    const { jobs, store, clock } = workBench({ run });
    await jobs.start();
    await jobs.enqueue('run', null);
    await clock.advance(1_000);
    const stopped = jobs.stop();
    await clock.advance(1);
    expect(await known(store)).toMatchObject([{ state: 'stopping', running: 1 }]);
    finish();
    await clock.advance(1);
    await stopped;
    expect(await known(store)).toEqual([]);
  });

  it('and is gone a minute after a crash', async () => {
    const { clock, store } = faulty();
    const { jobs } = workBench({ run: () => {} }, { store }, clock);
    await jobs.start();
    await clock.advance(10_000);
    store.fault = { calls: ['reportWorker', 'forgetWorker'], when: 'never' };
    await clock.advance(60_000);
    expect((await liveWorkers(store)).workers).toHaveLength(1);
    await clock.advance(1);
    expect((await liveWorkers(store)).workers).toEqual([]);
  });
});

describe('a report that fails', () => {
  it('is a warning once until it works, and no reason to stop', async () => {
    const { clock, store } = faulty();
    const { jobs, noticesOf, look } = workBench({ run: () => 'done' }, { store }, clock);
    store.fault = { calls: ['reportWorker'], when: 'before' };
    await jobs.start();
    await clock.advance(35_000);
    expect(noticesOf('report_failed')).toMatchObject([{ error: { code: 'store_unavailable' } }]);
    expect(noticesOf('store_unavailable')).toEqual([]);
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(1);
    expect((await look(id)).state).toBe('succeeded');
    store.fault = undefined;
    await clock.advance(10_000);
    expect(await known(store)).toHaveLength(1);
    store.fault = { calls: ['reportWorker'], when: 'before' };
    await clock.advance(10_000);
    expect(noticesOf('report_failed')).toHaveLength(2);
  });

  it('that is never answered holds up neither the work nor the stop', async () => {
    const { clock, store } = faulty();
    const { jobs, look, stop } = workBench({ run: () => 'done' }, { store }, clock);
    store.fault = { calls: ['reportWorker'], when: 'never' };
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(30_000);
    expect((await look(id)).state).toBe('succeeded');
    expect(store.calls.get('reportWorker')).toBe(1);
    const beforeMs = clock.now();
    await stop();
    expect(clock.now() - beforeMs).toBeLessThanOrEqual(5_000);
  });

  it('that arrives late does not bring back a worker that has stopped', async () => {
    const { clock, store } = faulty();
    const { jobs } = workBench({ run: () => {} }, { store }, clock);
    let answer = () => {};
    const { reportWorker } = store;
    store.reportWorker = async (report) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      await reportWorker(report);
    };
    await jobs.start();
    await clock.advance(1);
    const stopped = jobs.stop();
    await clock.advance(1);
    answer();
    await clock.advance(1);
    await stopped;
    expect(await known(store)).toEqual([]);
  });
});
