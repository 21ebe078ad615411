import type { FullStore } from '@redrive/durable';
import { final, jobsOn, memoryStore } from '@redrive/durable';
import { engageKill, pauseWork, submitOperation } from '@redrive/durable/control';
import { fingerprintOf, setCauseRule } from '@redrive/durable/dead-letters';
import { reportSource } from '@redrive/durable/store';
import {
  closeGate,
  declareRate,
  declareSchedule,
  makeBatch,
  openBreaker,
  parkJobs,
  WAITING_RATE,
} from './control-states.ts';

/** A store in which there is something of everything: a job that was edited and died twice, a pause, a kill switch, and so on. */
export async function storeWithAll(): Promise<FullStore> {
  const store = memoryStore();
  const handlers = { resize: () => final('no such image'), sync: () => {} };
  const jobs = jobsOn(store, handlers, { log: 'off' });
  const { job, ...rest } = jobs.prepare('resize', {});
  await store.apply([{ ...rest, job: { ...job, id: '1' } }]);
  const actor = { name: 'test' };
  const payload = { kind: 'json', text: '{"edited":true}' } as const;
  await jobs.start();
  await jobs.idle();
  await store.apply([{ kind: 'act', act: 'requeue', id: '1', payload, actor }]);
  await jobs.idle();
  await jobs.stop();
  await parkJobs(store, 'breaker:bank');
  await submitOperation(store, { id: 'incident-7', act: 'requeue', target: { ids: ['2'] }, actor });
  await pauseWork(store, { scope: 'queue', name: 'default', actor });
  await engageKill(store, { scope: 'tenant', name: 'acme', actor });
  const counts = { handled: 2, stored: 3, duplicates: 1, deadLettered: 0 };
  await reportSource(store, 'chunking', { state: 'taking', ...counts });
  await openBreaker(store);
  await jobs.enqueue('sync', {}, { queue: 'slow' });
  const facts = { host: 'web-1', pid: 4711, version: '0.1.0', concurrency: 10, running: 0 };
  const stalled = [{ id: '7', handler: 'resize', tenant: '', sinceMs: 0 }];
  const worker = { name: 'w-1', handlers: ['resize'], state: 'working', stalled } as const;
  await store.reportWorker({ ...worker, ...facts });
  await closeGate(store);
  const into = fingerprintOf({ type: 'Error', message: 'no such page' }).fingerprint;
  const rule = { name: 'pages', title: 'No such page', fingerprints: [into], into };
  await setCauseRule(store, { rule, actor });
  await declareSchedule(store);
  await makeBatch(store);
  await declareRate(store);
  const place = { host: 'web-1', pid: 7, version: '0.1.0', concurrency: 10, running: 0 };
  await store.reportWorker({ ...worker, ...place });
  // A store in memory has no rows that could be unreadable.
  return {
    ...store,
    unreadableJobs: async () => ({
      jobs: [
        { id: '1', problem: 'life: it is not JSON', isSetAside: true },
        { id: '2', problem: undefined, isSetAside: true },
      ],
      looked: 2,
    }),
    putBack: async (ids) => ids,
    rates: async () => [WAITING_RATE],
  };
}
