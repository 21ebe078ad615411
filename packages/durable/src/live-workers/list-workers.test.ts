import { virtualClock } from '@redrive/testkit';
import { expect, it } from 'vitest';
import { engageKill, pauseWork } from '../control/kill-switches.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { listWorkers } from './list-workers.ts';
import { liveWorkers } from './live-workers.ts';
import type { WorkerReport } from './worker-store.ts';

const actor = { name: 'eve' };

function report(name: string, given: Partial<WorkerReport> = {}): WorkerReport {
  const facts = { host: 'web-1', pid: 1, version: '0.1.0', concurrency: 10, running: 0 };
  return { name, ...facts, handlers: ['sync', 'mail'], state: 'working', ...given };
}

function setUp() {
  const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
  const store = memoryStore({ clock });
  const states = async (all = false) => {
    const { workers } = await listWorkers(store, { limit: 10, all });
    return Object.fromEntries(workers.map(({ name, state }) => [name, state]));
  };
  return { clock, store, states };
}

it('a worker is working, stopping or gone', async () => {
  const { clock, store, states } = setUp();
  await store.reportWorker(report('crashed'));
  await clock.advance(60_001);
  await store.reportWorker(report('busy', { running: 3 }));
  await store.reportWorker(report('leaving', { state: 'stopping' }));
  expect(await states()).toEqual({ busy: 'working', leaving: 'stopping' });
  expect(await states(true)).toEqual({ busy: 'working', crashed: 'gone', leaving: 'stopping' });
});

it('a worker is paused when all that it could claim is stopped', async () => {
  const { store, states } = setUp();
  await store.reportWorker(report('any'));
  await store.reportWorker(report('of-slow', { queues: ['slow'] }));
  await pauseWork(store, { scope: 'queue', name: 'slow', actor });
  await pauseWork(store, { scope: 'handler', name: 'sync', actor });
  expect(await states()).toEqual({ any: 'working', 'of-slow': 'paused' });
  await engageKill(store, { scope: 'operation', name: 'mail', actor });
  expect(await states()).toEqual({ any: 'paused', 'of-slow': 'paused' });
  await store.reportWorker(report('none', { handlers: [] }));
  expect(await states()).toMatchObject({ none: 'working' });
  await engageKill(store, { scope: 'all', actor });
  expect(await states()).toMatchObject({ none: 'paused' });
});

it('live workers are read page by page, 10,000 at most', async () => {
  const { store } = setUp();
  for (let n = 0; n < 1_001; n += 1) await store.reportWorker(report(`w${n}`));
  const live = await liveWorkers(store);
  expect(live.workers).toHaveLength(1_001);
  expect(live.bounded).toBe(false);
  const endless = { ...store, workers: async () => ({ nowMs: 1, workers: [], next: 'w' }) };
  expect(await liveWorkers(endless)).toEqual({ nowMs: 1, workers: [], bounded: true });
});
