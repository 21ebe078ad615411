import { deepEqual, ok } from 'node:assert/strict';
import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import { type Job, jobsOn } from '@redrive/durable';
import { isFinal } from '@redrive/durable/store';
import { seededRandom } from '../seeded-random.ts';
import { settle } from '../settle.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import type { TestRunner } from './ledger.ts';
import { allJobs, checkInvariants } from './store/invariants.ts';
import type { FullStoreUnderTest } from './store/suite.ts';

/** Processes that work on one store, some of whose jobs end the process that runs them. */
export interface PoisonScenario {
  readonly workers: number;
  readonly healthy: number;
  readonly poisonous: number;
  /** Processes end at random besides, as a function of this seed. Default: they do not. */
  readonly killSeed?: number;
  /** The probability that a process ends at random within a second. Default 0.2. */
  readonly killChance?: number;
  /** The shortest healthy job; the longest takes 40 times as long. Default 40. */
  readonly healthyMs?: number;
  /** Default 10. */
  readonly concurrency?: number;
}

/** Everything that must hold together: 1, 2 and 4 workers, 9 and 99 healthy jobs, 1 and 3 poisonous ones. */
export const POISON_SCENARIOS: readonly PoisonScenario[] = [1, 2, 4].flatMap((workers) =>
  [9, 99].flatMap((healthy) => [1, 3].map((poisonous) => ({ workers, healthy, poisonous }))),
);

const CONCURRENCY = 10;
const MAX_ATTEMPTS = 8;
const LEASE_MS = 5_000;
const SWEEP_MS = 1_000;
const RESTART_MS = 1_000;
const GIVE_UP_MS = 4 * 3_600_000;

/**
 * Registers, per scenario, a test with whole workers in virtual time: a poisonous job ends its process whenever it runs,
 * and a new process takes its place. Every healthy job succeeds; every poisonous one dies by its own attempts.
 */
export function poisonConformance(
  makeStore: () => Promise<FullStoreUnderTest>,
  { describe, it }: TestRunner,
  scenarios: readonly PoisonScenario[] = POISON_SCENARIOS,
): void {
  describe('one poisonous job kills no healthy ones', () => {
    for (const scenario of scenarios) {
      const { workers, healthy, poisonous } = scenario;
      it(`${workers} workers, ${healthy} healthy jobs, ${poisonous} poisonous`, async () => {
        const { store, clock, close } = await makeStore();
        try {
          const jobs = await runPoison(store, clock, scenario);
          check(jobs, scenario);
          await checkInvariants(store);
        } finally {
          await close?.();
        }
      });
    }
  });
}

/** Runs a scenario until all jobs have ended, and answers with them. */
export async function runPoison(
  store: FullStore,
  clock: VirtualClock,
  scenario: PoisonScenario,
): Promise<Job[]> {
  const { workers, healthy, poisonous, killSeed, killChance = 0.2 } = scenario;
  const random = killSeed === undefined ? () => 1 : seededRandom(killSeed);
  const calls = new Calls();
  const processes = Array.from(
    { length: workers },
    (_, n) => new MortalProcess(n, store, clock, calls, scenario),
  );
  const every = Math.ceil(healthy / poisonous);
  const submitter = jobsOn(store, { healthy: () => {}, poison: () => {} }, { clock });
  for (let n = 0; n < healthy; n++) {
    if (poisonous > 0 && n % every === 1) await submitter.enqueue('poison', n);
    await submitter.enqueue('healthy', n);
  }
  for (const each of processes) each.start();
  for (let passedMs = 0; passedMs < GIVE_UP_MS; passedMs += RESTART_MS) {
    await advance(clock, calls, RESTART_MS);
    for (const each of processes) {
      if (random() < killChance) each.die();
      if (!each.isAlive) each.start();
    }
    const { groups } = await store.counts();
    if (groups.every(({ state, count }) => isFinal(state) || count === 0)) break;
  }
  for (const each of processes) each.die();
  const summaries = await allJobs(store);
  const jobs = await Promise.all(summaries.map(({ id }) => store.job(id)));
  return jobs.filter((job) => job !== undefined);
}

function check(jobs: readonly Job[], { healthy, poisonous }: PoisonScenario): void {
  const of = (handler: string): Job[] => jobs.filter((job) => job.handler === handler);
  const words = ({ state, reason, account: { entries } }: Job): string =>
    `${state} (${reason}), ${entries.lease_lost} charged losses, ${entries.process_lost} uncharged`;
  deepEqual(
    of('healthy')
      .filter(({ state }) => state !== 'succeeded')
      .map(words),
    [],
    `of ${healthy} healthy jobs these have not succeeded`,
  );
  const most = mostUncharged(CONCURRENCY);
  for (const job of jobs) {
    ok(job.account.entries.process_lost <= most, `at most ${most} uncharged losses: ${words(job)}`);
  }
  deepEqual(
    of('poison').map(({ state, reason, account }) => [state, reason, account.entries.lease_lost]),
    Array.from({ length: poisonous }, () => ['dead', 'max_attempts_exceeded', MAX_ATTEMPTS]),
  );
}

/** Leases that a job can lose with its process before it is held alone. */
export function mostUncharged(concurrency: number): number {
  return Math.max(3, 2 + Math.floor(Math.log(concurrency) / Math.log(4)));
}

/** The time within which jobs of a lost process run again, if a worker has room for them. */
export const RECOVERY_MS = LEASE_MS + SWEEP_MS + 1_000;

/** From the loss of a process to the job's next start, at most: how long its last lease had run is not known. */
export function waitsAfterLosses({ attempts: { kept } }: Job, losses: number): number[] {
  const waits: number[] = [];
  let lost = 0;
  for (const [index, { entry, startedAtMs, durationMs }] of kept.entries()) {
    lost = entry === 'process_lost' || entry === 'lease_lost' ? lost + 1 : 0;
    const next = kept[index + 1];
    if (lost !== losses || next === undefined) continue;
    waits.push(next.startedAtMs - startedAtMs - durationMs + LEASE_MS);
  }
  return waits;
}

/** Calls to the store that are under way, from all processes. */
class Calls {
  #underWay = 0;
  #onIdle: (() => void)[] = [];

  get isIdle(): boolean {
    return this.#underWay === 0;
  }

  async count<T>(call: Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await call;
    } finally {
      this.#underWay -= 1;
      if (this.isIdle) for (const resolve of this.#onIdle.splice(0)) resolve();
    }
  }

  async idle(): Promise<void> {
    if (!this.isIdle) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }
}

/** Moves time on, but never while the store is at work: its I/O takes no virtual time. */
async function advance(clock: VirtualClock, calls: Calls, ms: number): Promise<void> {
  const untilMs = clock.monotonic() + ms;
  for (;;) {
    do {
      await calls.idle();
      await settle();
    } while (!calls.isIdle);
    const nextInMs = clock.nextTimerInMs ?? Infinity;
    const leftMs = untilMs - clock.monotonic();
    clock.tick(Math.min(nextInMs, leftMs));
    if (nextInMs > leftMs) return;
  }
}

/** A process that can end at once: from then on it calls nobody, and nothing that it waits for comes. */
class MortalProcess {
  readonly #name: number;
  readonly #store: FullStore;
  readonly #clock: Clock;
  readonly #calls: Calls;
  readonly #concurrency: number;
  readonly #healthyMs: number;
  #starts = 0;
  isAlive = false;

  constructor(
    name: number,
    store: FullStore,
    clock: Clock,
    calls: Calls,
    { concurrency = CONCURRENCY, healthyMs = 40 }: PoisonScenario,
  ) {
    this.#name = name;
    this.#store = store;
    this.#clock = clock;
    this.#calls = calls;
    this.#concurrency = concurrency;
    this.#healthyMs = healthyMs;
  }

  die(): void {
    this.isAlive = false;
    this.#starts += 1;
  }

  start(): void {
    this.isAlive = true;
    const start = this.#starts;
    const isAlive = (): boolean => this.isAlive && this.#starts === start;
    const clock = mortalClock(this.#clock, isAlive);
    // As the default of jobs, but sooner. Without jitter, so that losses keep together what was lost together.
    const delays = { baseDelayMs: 1_000, maxDelayMs: 8_000, jitter: 'none' } as const;
    const policy = { id: 'poison', maxAttempts: MAX_ATTEMPTS, ...delays };
    const handlers = {
      healthy: {
        policy,
        run: (n: number) =>
          new Promise<void>((resolve) => clock.setTimer(this.#healthyMs * (1 + (n % 40)), resolve)),
      },
      poison: {
        policy,
        run: () => {
          if (isAlive()) this.die();
          return new Promise<void>(() => {});
        },
      },
    };
    const options = { clock, worker: `p${this.#name}-${start}`, concurrency: this.#concurrency };
    const store = mortalStore(this.#store, this.#calls, isAlive);
    const times = { leaseMs: LEASE_MS, sweepMs: SWEEP_MS };
    void jobsOn(store, handlers, { ...options, ...times, log: 'off' }).start();
  }
}

function mortalClock(clock: Clock, isAlive: () => boolean): Clock {
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    setTimer: (delayMs, wake) =>
      clock.setTimer(delayMs, () => {
        if (isAlive()) wake();
      }),
  };
}

const NEVER = new Promise<never>(() => {});

/** An answer comes to nobody who has ended meanwhile. */
async function whileAlive<T>(answer: Promise<T>, isAlive: () => boolean): Promise<T> {
  try {
    const value = await answer;
    return isAlive() ? value : await NEVER;
  } catch (error) {
    if (isAlive()) throw error;
    return NEVER;
  }
}

function mortalStore(store: FullStore, calls: Calls, isAlive: () => boolean): FullStore {
  return new Proxy(store, {
    get(target, name: keyof FullStore) {
      if (name === 'watch') {
        return (listener: Parameters<FullStore['watch']>[0]) =>
          target.watch((change) => {
            if (isAlive()) listener(change);
          });
      }
      const value = target[name];
      if (typeof value !== 'function') return value;
      return (...args: never[]) => {
        // The one that answers at once: a loop over its answer may be under way.
        if (!isAlive()) return name === 'takeSetAside' ? [] : NEVER;
        // The arguments of the same function.
        const answer: unknown = (value as (...given: never[]) => unknown).apply(target, args);
        if (!(answer instanceof Promise)) return answer;
        return whileAlive(calls.count(answer), isAlive);
      };
    },
  });
}
