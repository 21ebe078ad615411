import { type Clock, definePolicy, systemClock } from '@redrive/core';
import {
  type FullStore,
  final,
  type Handlers,
  jobsOn,
  memoryStore,
  retryAfter,
} from '@redrive/durable';
import { engageKill, pauseWork, submitOperation } from '@redrive/durable/control';
import { virtualClock } from '@redrive/testkit';

const MINUTES = 130;

/** Work that fails in the ways that the console shows. */
const HANDLERS = {
  resize: ({ n }: { n: number }, { attempt }: { attempt: number }) => {
    if (attempt === 1 && n % 14 === 0) throw new Error('socket hang up');
    return { done: n };
  },
  charge: {
    dependency: 'bank',
    idempotent: true,
    run: () => {
      throw new Error('connect ECONNREFUSED 10.0.0.7:443');
    },
  },
  search: { dependency: 'search-api', run: () => retryAfter(3_600_000, '429 Too Many Requests') },
  import: ({ day }: { day: string }) => final(`orders-${day}.csv does not exist`),
  mail: ({ to }: { to: string }) => final(`550 mailbox ${to} does not exist`),
  report: ({ month }: { month: string }) => {
    throw new Error(`the figures of ${month} do not add up`);
  },
  invoice: () => 'sent',
} satisfies Handlers;

const POLICIES = {
  bank: definePolicy({
    ...{ maxAttempts: 8, backoff: 'fixed', baseDelayMs: 30_000, jitter: 'none' },
    ...{ enableCircuitBreaker: true, circuitBreakerThreshold: 5, circuitBreakerTimeoutMs: 60_000 },
  }),
  plain: definePolicy({ maxAttempts: 3, backoff: 'fixed', baseDelayMs: 20_000, jitter: 'none' }),
};

const WORKERS = ['app-1', 'app-2', 'app-3', 'batch-1'] as const;

/** A clock that is virtual until its past is written, and then continues as the system's. */
function clockWithPast(virtual: Clock): Clock & { goLive(): void } {
  let source = virtual;
  return {
    now: () => source.now(),
    monotonic: () => source.monotonic(),
    setTimer: (delayMs, wake) => source.setTimer(delayMs, wake),
    goLive: () => {
      source = systemClock;
    },
  };
}

export interface Trouble {
  readonly store: FullStore;
  /** Ids by handler, the oldest first. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
}

/** A store two hours old in which everything goes on that the console shows: written in virtual time, read in real time. */
export async function storeInTrouble(): Promise<Trouble> {
  const virtual = virtualClock({ startMs: systemClock.now() - MINUTES * 60_000 });
  const clock = clockWithPast(virtual);
  const store = memoryStore({ clock });
  const policies = (name: string) => (name === 'bank' ? POLICIES.bank : POLICIES.plain);
  const jobs = jobsOn(store, HANDLERS, {
    clock,
    worker: 'app-1',
    policies,
    log: 'off',
    concurrency: 16,
  });
  const ids: Record<string, string[]> = {};
  const add = async (handler: keyof typeof HANDLERS, payload: object, queue = 'default') => {
    const policy = handler === 'charge' ? 'bank' : 'plain';
    // Each handler takes another payload, and this adds to all of them.
    const { id } = await jobs.enqueue(handler as 'resize', payload as { n: number }, {
      queue,
      policy,
    });
    ids[handler] = [...(ids[handler] ?? []), id];
  };
  await jobs.start();
  for (let minute = 0; minute < MINUTES; minute += 1) {
    for (let n = 0; n < 5; n += 1) await add('resize', { n: minute * 5 + n });
    if (minute % 9 === 4) await add('report', { month: `2027-0${1 + (minute % 3)}` });
    if (minute % 20 === 7) await add('mail', { to: `user${minute}@example.org` }, 'mail');
    if (minute > 40 && minute % 2 === 0)
      await add('import', { day: `2027-01-${10 + (minute % 20)}` });
    if (minute > 70 && minute % 3 === 0) await add('charge', { order: 4_000 + minute }, 'billing');
    if (minute > 100 && minute % 10 === 0) await add('search', { words: 'papers' });
    if (minute === 108) {
      const actor = { name: 'cli:ops', why: 'INC-7: wrong amounts' };
      await engageKill(store, { scope: 'operation', name: 'invoice', actor });
    }
    if (minute === 110) {
      // Its letters fail again, so that its ramp stops it.
      await submitOperation(store, {
        ...{ id: 'inc-6-reports', act: 'requeue', ramp: [2, 10], stopShare: 0.2 },
        target: { filter: { handler: 'report' }, limit: 1_000 },
        ...{ ratePerSecond: 50, maxInFlight: 200 },
        actor: { name: 'cli:ops', why: 'INC-6: the figures are corrected' },
      });
    }
    if (minute > 108) await add('invoice', { amount: minute }, 'billing');
    if (minute === 115) {
      await pauseWork(store, {
        scope: 'queue',
        name: 'reports',
        actor: { name: 'cli:ops', why: 'new schema' },
      });
    }
    await virtual.advance(60_000);
  }
  const stopped = jobs.stop({ mode: 'release', graceMs: 0 });
  await virtual.advance(1_000);
  await stopped;
  clock.goLive();
  for (const [index, host] of WORKERS.entries()) {
    const numbers = { pid: 4_711 + index, concurrency: 16, running: [14, 11, 16, 3][index] ?? 0 };
    const handlers = Object.keys(HANDLERS);
    await store.reportWorker({
      name: host,
      host,
      version: '0.1.0',
      state: 'working',
      handlers,
      ...numbers,
    });
  }
  return { store: { ...store, name: 'postgres://db.internal/production' }, ids };
}
