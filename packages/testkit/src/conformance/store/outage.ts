import { equal, ok } from 'node:assert/strict';
import { type Policy, retryBudgets } from '@redrive/core';
import { type JobState, jobsOn } from '@redrive/durable';
import { watchedStore } from './idle-clock.ts';
import type { FullStoreSuite, FullStoreUnderTest } from './suite.ts';

/** As `runs.default`: 8 attempts, from a minute to an hour. */
const POLICY = {
  maxAttempts: 8,
  backoff: 'exponential',
  baseDelayMs: 60_000,
  maxDelayMs: 3_600_000,
  multiplier: 2,
  jitter: 'none',
} as const;
const TIMEOUT_MS = 60_000;
const BREAKER = {
  enableCircuitBreaker: true,
  circuitBreakerThreshold: 1,
  circuitBreakerTimeoutMs: TIMEOUT_MS,
} as const;
const OUTAGE_MS = 7_200_000;
/** One timeout with its jitter, and the paced release, which begins with five in a second. */
const BACK_WITHIN_MS = TIMEOUT_MS * 1.1 + 2_000;

export function outageTests({ test }: FullStoreSuite): void {
  test('without a breaker, a job of 8 attempts dies in an outage of two hours', async (subject) => {
    const outage = await startOutage(subject, 1, POLICY);
    await outage.pass(7_379_000);
    equal(await outage.count('dead'), 0);
    await outage.pass(2_000);
    equal(await outage.count('dead'), 1);
    equal(outage.calls(), 8);
    await outage.stop();
  });

  for (const jobs of [1, 5]) {
    test(`with a breaker, ${jobs} of them live through it, with one probe per timeout`, async (subject) => {
      const outage = await startOutage(subject, jobs, { ...POLICY, ...BREAKER });
      await outage.pass(OUTAGE_MS);
      equal(await outage.count('dead'), 0);
      // The calls that ran when it opened, and the probes.
      const calls = outage.calls();
      ok(calls <= jobs + OUTAGE_MS / TIMEOUT_MS, `${calls} calls`);
      ok(calls >= 1 + OUTAGE_MS / (TIMEOUT_MS * 1.1) - 1, `only ${calls} calls`);
      outage.end();
      await outage.pass(BACK_WITHIN_MS);
      equal(await outage.count('succeeded'), jobs);
      await outage.stop();
    });
  }
}

/** A worker with some jobs, and a dependency that refuses them all. */
async function startOutage(
  { store: inner, clock }: FullStoreUnderTest,
  jobs: number,
  policy: Policy,
) {
  const { store, pass } = watchedStore(inner, clock);
  let isDown = true;
  let calls = 0;
  const run = async (): Promise<void> => {
    calls += 1;
    if (isDown) throw new Error('down');
  };
  const worker = jobsOn(
    store,
    { call: { run, policy, dependency: 'api' } },
    // Nobody else is there to be looked for.
    { clock, log: 'off', pollMs: 60_000, sweepMs: 60_000, budgets: retryBudgets({ clock }) },
  );
  await worker.enqueueMany('call', Array(jobs).fill(null));
  await worker.start();
  return {
    pass,
    calls: () => calls,
    end() {
      isDown = false;
    },
    async count(state: JobState): Promise<number> {
      const { groups } = await inner.counts();
      return groups.find((group) => group.state === state)?.count ?? 0;
    },
    async stop(): Promise<void> {
      const stopped = worker.stop({ mode: 'release' });
      await pass(1_000);
      await stopped;
    },
  };
}
