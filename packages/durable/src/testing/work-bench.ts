import { type RetryRecord, retryBudgets, syncSink } from '@redrive/core';
import { expectNoTimers, type VirtualClock, virtualClock } from '@redrive/testkit';
import { expect, onTestFinished } from 'vitest';
import { verifyAudit } from '../audit/verify.ts';
import type { CheckedHandlers, Handlers } from '../handler/handler.ts';
import type { Job } from '../job/job.ts';
import type { Jobs, JobsOptions } from '../jobs/jobs.ts';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { FullStore } from '../store/full-store.ts';
import type { Notice } from '../worker/notice.ts';

/** 2026-01-29T12:00:00Z. */
export const START_MS = 1_769_688_000_000;

export interface WorkBench<H extends Handlers> {
  readonly clock: VirtualClock;
  readonly store: FullStore;
  readonly jobs: Jobs<H>;
  readonly notices: Notice[];
  readonly records: RetryRecord[];
  /** Of one kind. */
  noticesOf<K extends Notice['kind']>(kind: K): Extract<Notice, { kind: K }>[];
  /** The job as the store has it. */
  look(id: string): Promise<Job>;
  /** Stops the worker while time passes. */
  stop(options?: Parameters<Jobs<H>['stop']>[0]): Promise<void>;
}

/** Jobs in virtual time, on a store in memory; fails the test when a timer is left behind. */
export function workBench<const H extends Handlers>(
  handlers: H & CheckedHandlers<H>,
  options: JobsOptions & { readonly store?: FullStore } = {},
  clock: VirtualClock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 }),
): WorkBench<H> {
  const { store = memoryStore({ clock }), ...jobsOptions } = options;
  const notices: Notice[] = [];
  const records: RetryRecord[] = [];
  const jobs = jobsOn<H>(store, handlers, {
    clock,
    worker: 'w1',
    budgets: retryBudgets({ clock }),
    events: syncSink((record) => void records.push(record)),
    onNotice: (notice) => void notices.push(notice),
    ...jobsOptions,
  });
  const bench: WorkBench<H> = {
    clock,
    store,
    jobs,
    notices,
    records,
    noticesOf: <K extends Notice['kind']>(kind: K) =>
      notices.filter((notice) => notice.kind === kind) as Extract<Notice, { kind: K }>[],
    async look(id) {
      const job = await store.job(id);
      if (job === undefined) throw new Error(`There is no job ${id}`);
      return job;
    },
    async stop(stopOptions) {
      const stopped = jobs.stop(stopOptions);
      let isOver = false;
      void stopped.then(() => {
        isOver = true;
      });
      for (let tries = 0; !isOver && tries < 100; tries++) await clock.advance(1_000);
      await stopped;
    },
  };
  const benches = (open.get(clock) ?? 0) + 1;
  open.set(clock, benches);
  onTestFinished(async () => {
    await bench.stop({ mode: 'release' });
    const left = (open.get(clock) ?? 1) - 1;
    open.set(clock, left);
    // Core's own shared timers run out by themselves, and hold no process.
    if (left === 0 && clock.holdingTimers > 0) expectNoTimers(clock);
    // Every step of a worker has a record, and every decision in the records can be made again.
    expect((await verifyAudit(await store.readAudit())).problems).toEqual([]);
  });
  return bench;
}

/** Benches that share a clock: the last one looks at its timers. */
const open = new WeakMap<VirtualClock, number>();
