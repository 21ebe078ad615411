import { type Policy, retryBudgets, syncSink } from '@redrive/core';
import { jobsOn, memoryStore } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { Dependency, type DependencyOptions } from './dependency.ts';

export interface Outage extends DependencyOptions {
  /** Arrive evenly while the dependency is down. */
  readonly jobs: number;
  readonly outageMs: number;
  /** Worker processes on one store, and the jobs that each of them runs at once. */
  readonly processes: number;
  readonly concurrency: number;
  /** `false`: every job backs off for itself. */
  readonly parking: boolean;
  /** While the breaker is open, one probe per this time. */
  readonly breakerTimeoutMs: number;
  readonly policy: Policy;
  /** It is looked at for so long after the end of the outage. */
  readonly afterMs: number;
}

/** A second at first, doubled up to a minute, anywhere below: what most clients do. */
const NAIVE = {
  maxAttempts: 100_000,
  backoff: 'exponential',
  baseDelayMs: 1_000,
  multiplier: 2,
  maxDelayMs: 60_000,
  jitter: 'full',
} as const;

/** As `runs.default`: without a breaker such a job is dead after 7,380 s. */
const EIGHT_ATTEMPTS = {
  maxAttempts: 8,
  backoff: 'exponential',
  baseDelayMs: 60_000,
  multiplier: 2,
  maxDelayMs: 3_600_000,
  jitter: 'none',
} as const;

/** The scene of the show: ten thousand jobs, half an hour. */
export const HALF_AN_HOUR: Outage = {
  jobs: 10_000,
  outageMs: 1_800_000,
  capacityPerSecond: 200,
  livePerSecond: 100,
  timeoutMs: 1_000,
  processes: 2,
  concurrency: 100,
  parking: true,
  breakerTimeoutMs: 60_000,
  policy: NAIVE,
  afterMs: 600_000,
};

/** Ten thousand jobs of eight attempts, of which none dies. */
export const TWO_HOURS: Outage = {
  ...HALF_AN_HOUR,
  outageMs: 7_200_000,
  policy: EIGHT_ATTEMPTS,
};

/** The same in small, for a test: the storm of half an hour is half a million attempts. */
export const THREE_MINUTES: Outage = {
  ...HALF_AN_HOUR,
  jobs: 1_000,
  outageMs: 180_000,
  capacityPerSecond: 20,
  livePerSecond: 10,
  concurrency: 50,
  afterMs: 300_000,
};

export interface OutageReport {
  readonly attemptsWhileDown: number;
  readonly attempts: number;
  /** Of calls of others, in the first two minutes after the outage. */
  readonly liveSuccess: number;
  readonly finished: number;
  readonly dead: number;
  /** After the outage, until so many were finished. `undefined`: they were not. */
  readonly until99Ms: number | undefined;
  readonly untilAllMs: number | undefined;
  /** What the spare capacity allows. */
  readonly leastMs: number;
  /** `Infinity` without parking. Calls that had begun when the last process opened the breaker, and one per timeout after that. */
  readonly attemptsAllowed: number;
  /** `Infinity` without parking. For 99 %: one timeout until the probe, and the paced release. */
  readonly allowedMs: number;
}

/** A probe comes up to a tenth later. */
const PROBE_JITTER = 0.1;
/** The pace has to be found: no slower than this times the least possible. */
const PACE_FACTOR = 2.5;

const LIVE_WINDOW_MS = 120_000;
const STEP_MS = 1_000;

/** Carries out an outage on the real engine: workers and a store in memory, in virtual time. */
export async function simulateOutage(outage: Outage): Promise<OutageReport> {
  const { jobs: count, outageMs, parking, processes, concurrency, afterMs } = outage;
  const { breakerTimeoutMs } = outage;
  const clock = virtualClock();
  const store = memoryStore({ clock });
  const dependency = new Dependency(clock, outage);
  const doneMs: number[] = [];
  const policy = {
    ...outage.policy,
    enableCircuitBreaker: parking,
    circuitBreakerThreshold: 5,
    circuitBreakerTimeoutMs: breakerTimeoutMs,
  };
  const opened = new Set<number>();
  let callsWhenOpened = 0;
  const whenOpened = (worker: number) => {
    if (opened.has(worker)) return;
    opened.add(worker);
    callsWhenOpened = dependency.calls;
  };
  const run = async () => {
    await dependency.call();
    doneMs.push(clock.monotonic() - outageMs);
  };
  const call = { run, policy, ...(parking && { dependency: 'api' }) };
  const workers = Array.from({ length: processes }, (_, n) =>
    jobsOn(
      store,
      { call },
      {
        clock,
        concurrency,
        worker: `w${n}`,
        budgets: retryBudgets({ clock }),
        events: syncSink((record) => {
          if (record.kind === 'breaker_changed' && record.to === 'open') whenOpened(n);
        }),
      },
    ),
  );
  dependency.setDown(true);
  for (const worker of workers) await worker.start();
  const [first] = workers;
  if (first === undefined) throw new Error('There is no worker');
  for (let n = 0; n < count; n += 1) {
    await clock.advance((outageMs * (n + 1)) / count - clock.monotonic());
    await first.enqueue('call', null);
  }
  await clock.advance(outageMs - clock.monotonic());
  const attemptsWhileDown = dependency.calls;
  const live = dependency.watch(outageMs, outageMs + LIVE_WINDOW_MS);
  dependency.setDown(false);
  const isOver = () =>
    doneMs.length >= count && clock.monotonic() >= outageMs + LIVE_WINDOW_MS + STEP_MS;
  while (!isOver() && clock.monotonic() < outageMs + afterMs) await clock.advance(STEP_MS);
  dependency.catchUp();
  const { groups } = await store.counts();
  const stopped = Promise.all(workers.map((worker) => worker.stop({ mode: 'release' })));
  for (let n = 0; n < 10; n += 1) await clock.advance(STEP_MS);
  await stopped;
  await store.close();
  const leastMs = (count / (outage.capacityPerSecond - outage.livePerSecond)) * 1_000;
  return {
    attemptsWhileDown,
    attempts: dependency.calls,
    liveSuccess: live.succeeded / live.calls,
    finished: groups.find(({ state }) => state === 'succeeded')?.count ?? 0,
    dead: groups.find(({ state }) => state === 'dead')?.count ?? 0,
    until99Ms: doneMs[Math.ceil(count * 0.99) - 1],
    untilAllMs: doneMs[count - 1],
    leastMs,
    attemptsAllowed: parking ? callsWhenOpened + Math.ceil(outageMs / breakerTimeoutMs) : Infinity,
    allowedMs: parking ? breakerTimeoutMs * (1 + PROBE_JITTER) + PACE_FACTOR * leastMs : Infinity,
  };
}
