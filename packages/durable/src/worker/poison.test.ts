import { virtualClock } from '@redrive/testkit';
import {
  mostUncharged,
  poisonConformance,
  RECOVERY_MS,
  runPoison,
  waitsAfterLosses,
} from '@redrive/testkit/conformance/poison';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import { START_MS } from '../testing/work-bench.ts';

function makeStore() {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  return { store: memoryStore({ clock }), clock };
}

poisonConformance(async () => makeStore(), { describe, it });

it('whatever kills processes, a job loses at most three leases uncharged, or 2 + log₄ concurrency', async () => {
  const scenarios = fc.record({
    workers: fc.integer({ min: 1, max: 3 }),
    healthy: fc.integer({ min: 3, max: 40 }),
    poisonous: fc.integer({ min: 1, max: 2 }),
    killSeed: fc.nat(),
    concurrency: fc.constantFrom(1, 2, 3, 4, 10, 16, 70),
  });
  const uncharged: number[] = [];
  const property = fc.asyncProperty(scenarios, async (scenario) => {
    const { store, clock } = makeStore();
    const jobs = await runPoison(store, clock, scenario);
    const most = Math.max(...jobs.map(({ account }) => account.entries.process_lost));
    uncharged.push(most);
    expect(most).toBeLessThanOrEqual(mostUncharged(scenario.concurrency));
    expect(jobs.filter(({ state }) => state !== 'succeeded' && state !== 'dead')).toEqual([]);
  });
  await fc.assert(property, { numRuns: 25, seed: 1 });
  // The bound was reached.
  expect(Math.max(...uncharged)).toBeGreaterThan(3);
});

it('healthy jobs that lost two processes start again within twice the time of a first recovery', async () => {
  const storms = fc.record({
    workers: fc.integer({ min: 1, max: 3 }),
    healthy: fc.integer({ min: 50, max: 150 }),
    killSeed: fc.nat(),
    killChance: fc.constantFrom(0.3, 0.5),
    healthyMs: fc.constantFrom(40, 100),
    concurrency: fc.constantFrom(4, 10, 16, 70),
  });
  const waits: number[] = [];
  const property = fc.asyncProperty(storms, async (storm) => {
    const { store, clock } = makeStore();
    const jobs = await runPoison(store, clock, { ...storm, poisonous: 0 });
    for (const job of jobs) waits.push(...waitsAfterLosses(job, 2));
    expect(Math.max(0, ...waits)).toBeLessThanOrEqual(2 * RECOVERY_MS);
  });
  await fc.assert(property, { numRuns: 25, seed: 1 });
  // There were some.
  expect(waits.length).toBeGreaterThan(100);
});
