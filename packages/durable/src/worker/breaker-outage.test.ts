import { describe, expect, it } from 'vitest';
import type { Job } from '../job/job.ts';
import { workBench } from '../testing/work-bench.ts';

const TIMEOUT_MS = 60_000;
const DAY_MS = 86_400_000;

/** As `runs.default`: 8 attempts, from a minute to an hour; a breaker that opens with the first failure. */
const policy = {
  maxAttempts: 8,
  backoff: 'exponential',
  baseDelayMs: 60_000,
  maxDelayMs: 3_600_000,
  multiplier: 2,
  jitter: 'none',
  enableCircuitBreaker: true,
  circuitBreakerThreshold: 1,
  circuitBreakerTimeoutMs: TIMEOUT_MS,
} as const;
const BACKOFFS_MS = [60, 120, 240, 480, 960, 1_920, 3_600].map((seconds) => seconds * 1_000);

/** A dependency that can be down, and that cannot take jobs that say `poison`. */
function outageBench(own: object = {}) {
  const api = { isDown: false, calls: [] as { readonly id: string; readonly atMs: number }[] };
  const run = async (payload: unknown, { jobId }: { readonly jobId: string }): Promise<void> => {
    api.calls.push({ id: jobId, atMs: bench.clock.now() });
    if (api.isDown || payload === 'poison') throw new Error('down');
  };
  const handlers = { call: { run, policy: { ...policy, ...own }, dependency: 'api' } };
  const bench = workBench(handlers, { pollMs: 60_000, sweepMs: 60_000 });
  return {
    ...bench,
    api,
    async count(state: Job['state']): Promise<number> {
      return (await bench.store.jobs({ states: [state] }, { limit: 1_000 })).jobs.length;
    },
    /** When each attempt of a job is charged from now until it is dead. Every `stepMs` something else may be done. */
    async chargedAtMs(id: string, stepMs: number, meanwhile = async () => {}): Promise<number[]> {
      const chargedAtMs: number[] = [];
      let charged = (await bench.look(id)).account.entries.failed;
      for (let steps = 0; steps < 20_000; steps += 1) {
        await bench.clock.advance(stepMs);
        const { state, account } = await bench.look(id);
        if (account.entries.failed > charged) chargedAtMs.push(bench.clock.now());
        charged = account.entries.failed;
        if (state === 'dead') return chargedAtMs;
        await meanwhile();
      }
      throw new Error(`${id} has not died`);
    },
  };
}

function gapsMs(timesMs: readonly number[]): number[] {
  return timesMs.slice(1).map((timeMs, n) => timeMs - (timesMs[n] ?? 0));
}

/** The last waits: each is at least the back-off, to the step in which it was looked at. */
function expectBackoffs(chargedAtMs: readonly number[], stepMs: number): void {
  const gaps = gapsMs(chargedAtMs);
  expect(gaps.length).toBeGreaterThanOrEqual(4);
  for (const [n, backoffMs] of BACKOFFS_MS.slice(-gaps.length).entries())
    expect(gaps[n]).toBeGreaterThanOrEqual(backoffMs - stepMs);
}

describe('one poisonous job', () => {
  it('of the highest priority among 20 cannot keep the breaker open, and dies no earlier than without one', async () => {
    const { jobs, clock, api, count, chargedAtMs, look } = outageBench();
    await jobs.start();
    const { id } = await jobs.enqueue('call', 'poison', { priority: 1_000 });
    await clock.advance(10);
    for (let n = 0; n < 20; n += 1) await jobs.enqueue('call', null, { priority: n - 10 });
    await clock.advance(1_000);
    expect(await count('parked')).toBeGreaterThanOrEqual(20);
    await clock.advance(4 * TIMEOUT_MS);
    expect(await count('succeeded')).toBe(20);
    // From now on one healthy job a minute closes the breaker again, and the poisonous one is charged as usual.
    const healthy = async () => void (await jobs.enqueue('call', null));
    expectBackoffs(await chargedAtMs(id, 60_000, healthy), 60_000);
    expect((await look(id)).account.entries.failed).toBe(8);
    const ids = api.calls.filter((call) => call.id !== id).map((call) => call.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('alone, on a dependency that never recovers: dies after its 8 attempts, with a day between charges', async () => {
    const { jobs, api, chargedAtMs } = outageBench({ circuitBreakerTimeoutMs: 600_000 });
    api.isDown = true;
    const { id } = await jobs.enqueue('call', null);
    await jobs.start();
    const gaps = gapsMs(await chargedAtMs(id, 60_000));
    expect(gaps).toHaveLength(7);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(DAY_MS - 60_000);
    // A day, its back-off, and the next probe.
    expect(Math.max(...gaps)).toBeLessThan(DAY_MS + 3_600_000 + 1.2 * 600_000);
    // One per timeout, from the end of each back-off.
    expect(api.calls.length).toBeLessThanOrEqual(8 + (7 * DAY_MS) / 600_000);
  });
});

describe('a job that was never run', () => {
  it('and waited for hours for an open breaker is charged nothing for its probes', async () => {
    const { jobs, clock, api, look, count } = outageBench();
    api.isDown = true;
    await jobs.enqueue('call', null);
    await jobs.start();
    await clock.advance(10);
    const { id } = await jobs.enqueue('call', null, { priority: 1 });
    await clock.advance(6 * 3_600_000);
    const { account } = await look(id);
    expect(account.entries).toMatchObject({ failed: 0, rate_limited: 0 });
    // As many of them ran as for the other one.
    expect(account.entries.blocked).toBeGreaterThan(100);
    expect([account.freeWaits, account.freeWaitMs]).toEqual([0, 0]);
    api.isDown = false;
    await clock.advance(1.1 * TIMEOUT_MS + 2_000);
    expect(await count('succeeded')).toBe(2);
  });
});

describe('a policy with a small maxFreeWaitMs', () => {
  it('charges a probe as soon as the back-off of its job has passed, and no earlier', async () => {
    const { jobs, api, chargedAtMs } = outageBench({ maxFreeWaitMs: 0 });
    api.isDown = true;
    const { id } = await jobs.enqueue('call', null);
    await jobs.start();
    expectBackoffs(await chargedAtMs(id, 10_000), 10_000);
  });
});
