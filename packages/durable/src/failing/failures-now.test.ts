import { definePolicy } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { controlOverview } from '../control/control-overview.ts';
import { final } from '../handler/verdict.ts';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { failuresNow } from './failures-now.ts';

const START_MS = Date.UTC(2027, 0, 31, 8);
const HOUR_MS = 3_600_000;

const POLICY = definePolicy({
  ...{ maxAttempts: 3, backoff: 'fixed', baseDelayMs: 60_000, jitter: 'none' },
  ...{ enableCircuitBreaker: true, circuitBreakerThreshold: 3 },
});

function setUp() {
  const clock = virtualClock({ startMs: START_MS });
  const store = memoryStore({ clock });
  let n = 0;
  const refused = () => {
    n += 1;
    throw new Error(`connect ECONNREFUSED 10.0.0.${n}:443`);
  };
  const handlers = {
    charge: { run: refused, dependency: 'bank' },
    refund: { run: refused, dependency: 'bank' },
    import: () => final('no such file'),
  };
  const jobs = jobsOn(store, handlers, { clock, policies: () => POLICY });
  const work = async (durationMs: number) => {
    await jobs.start();
    await clock.advance(durationMs);
    const stopped = jobs.stop({ mode: 'release', graceMs: 0 });
    await clock.advance(1_000);
    await stopped;
  };
  const look = async () => failuresNow(store, await controlOverview(store));
  return { clock, store, jobs, work, look };
}

describe('failuresNow', () => {
  it('puts retrying and parked jobs and dead letters of one cause together', async () => {
    const { jobs, work, look } = setUp();
    await jobs.enqueueMany('charge', [1, 2]);
    await work(200_000);
    expect((await look()).failures).toMatchObject([{ handlers: ['charge'] }]);
    await jobs.enqueueMany('refund', [1, 2, 3]);
    await work(100);
    const { failures, sampled } = await look();
    expect(sampled).toBe(false);
    expect(failures).toHaveLength(1);
    const [failure] = failures;
    expect(failure).toMatchObject({
      pattern: 'Error: connect ECONNREFUSED <addr>:443',
      handlers: ['charge', 'refund'],
      dependency: 'bank',
      sinceMs: START_MS,
      bounded: false,
      lastError: { type: 'Error', message: expect.stringMatching(/^connect ECONNREFUSED 10/) },
    });
    const { retrying = 0, parked = 0, dead = 0 } = failure ?? {};
    expect(retrying + parked + dead).toBe(5);
    expect(failure?.perMinute).toBeGreaterThan(0.1);
  });

  it('forgets a cause an hour after the last death, and has its start within a day', async () => {
    const { clock, jobs, work, look } = setUp();
    await jobs.enqueue('import', 1);
    await work(100);
    await clock.advance(2 * HOUR_MS);
    expect((await look()).failures).toEqual([]);
    await jobs.enqueue('import', 2);
    await work(100);
    const atOnce = { dead: 2, sinceMs: START_MS, perMinute: 0.1 };
    expect((await look()).failures).toMatchObject([atOnce]);
    await clock.advance(30 * HOUR_MS);
    await jobs.enqueue('import', 3);
    const againMs = clock.now();
    await work(100);
    expect((await look()).failures).toMatchObject([
      { dead: 3, sinceMs: againMs, firstSeenMs: START_MS, lastMs: againMs },
    ]);
  });

  it('is empty where nothing fails', async () => {
    expect((await setUp().look()).failures).toEqual([]);
  });
});
