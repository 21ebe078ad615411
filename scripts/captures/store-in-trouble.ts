import { definePolicy } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import { final, type Handlers, type JobContext, jobsOn, memoryStore } from '@redrive/durable';
import { engageKill, pauseOperation, pauseWork, submitOperation } from '@redrive/durable/control';
import type { DeadFilter } from '@redrive/durable/dead-letters';
import type { WorkerReport } from '@redrive/durable/store';
import { type VirtualClock, virtualClock } from '@redrive/testkit';

/** 20 minutes before 3 am. */
const START_MS = Date.UTC(2027, 0, 31, 2, 40);

const HANDLERS = {
  charge: { run: refused, dependency: 'bank', idempotent: true },
  refund: { run: refused, dependency: 'bank', idempotent: true },
  mail: ({ to }: { to: string }) => {
    if (to.endsWith('.test'))
      throw new Error(`SMTP 451 try again later, queue id ${to.length}A7F3`);
    return final(`SMTP 550 mailbox unavailable: ${to}`);
  },
  report: ({ month }: { month: string }) => {
    throw new Error(`HTTP 503 Service Unavailable: GET https://reports.example.com/${month}`);
  },
  resize: (_payload: object, { generation }: JobContext) =>
    // The first generation of each image died of a full disk.
    generation === 1 ? final('ENOSPC: no space left on device, write') : 'done',
} satisfies Handlers;

function refused(): never {
  throw new Error('connect ECONNREFUSED 10.0.0.7:443');
}

const POLICIES = {
  bank: definePolicy({
    ...{ maxAttempts: 8, backoff: 'fixed', baseDelayMs: 60_000, jitter: 'none' },
    ...{ enableCircuitBreaker: true, circuitBreakerThreshold: 5, circuitBreakerTimeoutMs: 60_000 },
  }),
  plain: definePolicy({ maxAttempts: 3, backoff: 'fixed', baseDelayMs: 240_000, jitter: 'none' }),
};

const WORKERS: readonly WorkerReport[] = ['web-1', 'web-2'].map((host, index) => ({
  name: `${host}-${4711 + index}-0k3f9a`,
  ...{ host, pid: 4711 + index, version: '0.1.0', concurrency: 10, running: 3 - index },
  ...{ handlers: ['charge', 'refund', 'mail', 'report', 'resize'], state: 'working' },
}));

/** A store at 3 am: a dependency is away, mail bounces, reports died, nobody has `sync`, a queue is stopped. The same at every run. */
export async function storeInTrouble(): Promise<{ store: FullStore; clock: VirtualClock }> {
  const clock = virtualClock({ startMs: START_MS });
  const store = memoryStore({ clock });
  const policies = (name: string) => (name === 'bank' ? POLICIES.bank : POLICIES.plain);
  const options = { clock, worker: 'web-1', policies, log: 'off' } as const;
  const jobs = jobsOn(store, HANDLERS, options);
  // Accepts jobs of a handler that no worker has.
  const client = jobsOn(store, { ...HANDLERS, sync: () => {} }, options);
  let count = 0;
  const add = async (handler: string, queue: string, payload: object, policy: string) => {
    count += 1;
    const id = `0mzjkkjk${count.toString(36).padStart(4, '0')}1s48jinm`;
    // Each handler takes another payload, and this is a list of many.
    const { job, ...rest } = client.prepare(handler as 'sync', payload, { queue, policy });
    const ids = { id, sessionId: id, idempotencyKey: id };
    await store.apply([{ ...rest, job: { ...job, ...ids } }]);
    return id;
  };
  for (const worker of WORKERS) await store.reportWorker(worker);
  await jobs.start();
  for (let n = 0; n < 12; n += 1) await add('resize', 'images', { n }, 'plain');
  await add('report', 'reports', { month: '2027-01' }, 'plain');
  await add('report', 'reports', { month: '2026-12' }, 'plain');
  await clock.advance(240_000);
  await requeue(store, 'inc-5', { handler: 'resize' }, 'INC-5: the disk has room');
  await clock.advance(240_000);
  for (let n = 0; n < 14; n += 1) await add('charge', 'payments', { order: 4_000 + n }, 'bank');
  await clock.advance(300_000);
  for (let n = 0; n < 3; n += 1) await add('refund', 'payments', { order: 4_100 + n }, 'bank');
  const people = ['bob@example.com', 'eve@example.org', 'support@example.test', 'ops@example.test'];
  for (const to of people) await add('mail', 'mail', { to }, 'plain');
  await clock.advance(300_000);
  for (let n = 0; n < 20; n += 1) await add('sync', 'partners', { n }, 'plain');
  await requeue(store, 'inc-6', { handler: 'report' }, 'INC-6: reports are back');
  await pauseOperation(store, { id: 'inc-6', actor: { name: 'cli:ann@ops-1', why: '503 again' } });
  const actor = { name: 'cli:ann@ops-1', why: 'INC-7: wrong subject line' };
  await engageKill(store, { scope: 'queue', name: 'newsletter', actor });
  const why = 'moving the files';
  const bob = { name: 'cli:bob@ops-1', why };
  await pauseWork(store, { scope: 'queue', name: 'exports', actor: bob });
  await clock.advance(115_000);
  const stopped = jobs.stop({ mode: 'release', graceMs: 0 });
  await clock.advance(1_000);
  await stopped;
  for (const worker of WORKERS) await store.reportWorker(worker);
  await clock.advance(4_000);
  return { store: { ...store, name: 'postgres://db.internal/app' }, clock };
}

async function requeue(store: FullStore, id: string, filter: DeadFilter, why: string) {
  const actor = { name: 'cli:ann@ops-1', why };
  await submitOperation(store, { id, act: 'requeue', target: { filter, limit: 1_000 }, actor });
}
