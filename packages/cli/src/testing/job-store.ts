import { type Clock, definePolicy, RedriveError } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import { final, type Handlers, type Jobs, jobsOn, memoryStore, retryAfter } from '@redrive/durable';

/** 2027-01-31 08:00:00 UTC. */
export const START_MS = Date.UTC(2027, 0, 31, 8);

/** Handlers that misbehave as their payload asks for. */
const HANDLERS = {
  mail: ({ failures = 0 }: { failures?: number }, { attempt }) => {
    if (attempt <= failures) throw new Error(`connection reset, \x1b[31mattempt ${attempt}`);
    return { delivered: true };
  },
  import: () => final('the file is not there'),
  search: (_payload: unknown, { attempt }) =>
    attempt === 1 ? retryAfter(5_000, '429 Too Many Requests') : 'found',
  slow: (_payload: unknown, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
} satisfies Handlers;

/** A policy for jobs that are to die soon. */
const QUICK = definePolicy({ maxAttempts: 2, backoff: 'fixed', baseDelayMs: 100, jitter: 'none' });

/** The part of a virtual clock that is used here; testkit's has it. */
export interface MovableClock extends Clock {
  advance(ms: number): Promise<void>;
}

export interface JobStore<C extends MovableClock> {
  readonly store: FullStore;
  readonly clock: C;
  readonly jobs: Jobs<typeof HANDLERS>;
  /** Works for this much virtual time, then stops. */
  work(durationMs: number): Promise<void>;
}

/** Start of the tests' virtual clock; the two times differ, so that nobody takes the one for the other. */
export const START = { startMs: START_MS, monotonicMs: 5_000 };

/** A store in memory with virtual time, and a worker for it. */
export function jobStore<C extends MovableClock>(clock: C): JobStore<C> {
  const store = memoryStore({ clock });
  const policies = (name: string) => (name === 'quick' ? QUICK : undefined);
  const jobs = jobsOn(store, HANDLERS, {
    clock,
    worker: 'worker-1',
    policies,
    log: 'off',
  });
  return {
    store,
    clock,
    jobs,
    async work(durationMs) {
      await jobs.start();
      await clock.advance(durationMs);
      const stopped = jobs.stop({ mode: 'release', graceMs: 0 });
      await clock.advance(1_000);
      await stopped;
    },
  };
}

/** A store that is away. */
export function brokenStore(store: FullStore): FullStore {
  const away = () =>
    Promise.reject(new RedriveError('store_unavailable', 'The store is away', { store: 'test' }));
  return { ...store, apply: away, counts: away, pulse: away, job: away, jobs: away };
}
