import { isRedriveError, RedriveError } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import type { Rate } from '../control/rules/rate.ts';
import { updateControl } from '../control/update-control.ts';
import type { OneOfMany } from '../handler/take-many.ts';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';

/** The most starts in any window of 10 s. */
function mostIn10s(starts: readonly number[]): number {
  const sorted = starts.toSorted((a, b) => a - b);
  return Math.max(
    ...sorted.map((fromMs) => sorted.filter((at) => at >= fromMs && at < fromMs + 10_000).length),
  );
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe('a rate', () => {
  it('holds over the workers of a store, which use nearly all of it', async () => {
    const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
    const store = memoryStore({ clock });
    const starts: number[] = [];
    const handlers = {
      send: { run: () => void starts.push(clock.now()), rate: { limit: 20, perMs: 1_000 } },
    };
    const benches = ['w1', 'w2', 'w3'].map((worker) =>
      workBench(handlers, { store, worker }, clock),
    );
    for (const { jobs } of benches) await jobs.start();
    await benches[0]?.jobs.enqueueMany('send', upTo(1_000));
    await clock.advance(40_000);
    expect(mostIn10s(starts)).toBeLessThanOrEqual(220);
    // Without the burst at the start.
    expect(starts.length - 20).toBeGreaterThanOrEqual(0.95 * 20 * 40);
  });

  it('of one tenant leaves the others alone, and a job above it waits as ready', async () => {
    const ran: string[] = [];
    const { jobs, clock, store } = workBench({
      send: {
        run: (name: string) => void ran.push(name),
        rate: { limit: 1, perMs: 60_000, by: 'tenant' },
      },
    });
    await jobs.start();
    for (const tenant of ['a', 'b']) {
      await jobs.enqueueMany('send', [`${tenant}1`, `${tenant}2`], { tenant });
    }
    await clock.advance(1_000);
    expect(ran).toEqual(['a1', 'b1']);
    expect((await store.counts()).groups.map(({ state, count }) => [state, count])).toEqual(
      expect.arrayContaining([['ready', 2]]),
    );
    await clock.advance(61_000);
    expect(ran).toEqual(['a1', 'b1', 'a2', 'b2']);
  });

  it('counts each job of a call that takes many', async () => {
    const calls: number[] = [];
    const { jobs, clock } = workBench(
      {
        send: {
          runMany: (all: readonly OneOfMany<number>[]) => {
            calls.push(all.length);
            return all.map(() => null);
          },
          rate: { limit: 10, perMs: 10_000 },
        },
      },
      { concurrency: 100 },
    );
    await jobs.start();
    await jobs.enqueueMany('send', upTo(50));
    await clock.advance(500);
    expect(calls).toEqual([10]);
  });

  it('of a queue holds for all handlers in it', async () => {
    const ran: string[] = [];
    const { jobs, clock } = workBench(
      { a: () => void ran.push('a'), b: () => void ran.push('b') },
      { queueRates: { slow: { limit: 3, perMs: 60_000 } } },
    );
    await jobs.start();
    for (const name of ['a', 'b'] as const) {
      await jobs.enqueueMany(name, upTo(3), { queue: 'slow' });
    }
    await jobs.enqueue('a', 0, { queue: 'other' });
    await clock.advance(1_000);
    expect(ran).toHaveLength(4);
  });

  it('may be a function, whose last good answer stays in force', async () => {
    let rate: Rate | undefined = { limit: 1, perMs: 1_000 };
    const starts: number[] = [];
    const { jobs, clock } = workBench({
      send: {
        run: () => void starts.push(clock.now()),
        rate: () => rate ?? { limit: 0, perMs: 1 },
      },
    });
    await jobs.start();
    await jobs.enqueueMany('send', upTo(50));
    await clock.advance(3_500);
    expect(starts.length).toBe(4);
    rate = undefined;
    await clock.advance(3_000);
    expect(starts.length).toBeLessThanOrEqual(7);
    rate = { limit: 100, perMs: 1_000 };
    await clock.advance(2_000);
    expect(starts.length).toBe(50);
  });

  it('that an operator has changed applies at once, and the store knows what is declared', async () => {
    const starts: number[] = [];
    const { jobs, clock, store } = workBench({
      send: { run: () => void starts.push(clock.now()), rate: { limit: 1, perMs: 60_000 } },
    });
    await jobs.start();
    await jobs.enqueueMany('send', upTo(20));
    await clock.advance(5_000);
    expect(starts).toHaveLength(1);
    const of = { of: 'rate', key: 'handler:send/all/60000ms' } as const;
    const { after } = await updateControl(store, {
      ...of,
      next: (current) =>
        current && { ...current, set: { limit: 600, burst: 10, by: 'ops', atMs: clock.now() } },
    });
    expect(after).toMatchObject({ limit: 1, burst: 1 });
    await clock.advance(1_500);
    expect(starts.length).toBeGreaterThan(10);
  });

  it('is refused with every problem at once', () => {
    const rate = [
      { limit: 0, perMs: 1.5, by: 'user', burst: -1, per: 'hour' },
      'fast',
    ] as unknown as Rate[];
    let thrown: unknown;
    try {
      jobsOn(memoryStore(), { send: { run: () => {}, rate } });
    } catch (error) {
      thrown = error;
    }
    if (!isRedriveError(thrown, 'invalid_option')) throw thrown;
    const problems = thrown.details.problems as { field: string }[];
    expect(problems.map(({ field }) => field)).toEqual([
      'send.rate[0].per',
      'send.rate[0].limit',
      'send.rate[0].perMs',
      'send.rate[0].burst',
      'send.rate[0].by',
      'send.rate[1]',
    ]);
    const twice = [
      { limit: 1, perMs: 5 },
      { limit: 2, perMs: 5, by: 'handler' as const },
    ];
    expect(() => jobsOn(memoryStore(), { send: { run: () => {}, rate: twice } })).toThrow(
      RedriveError,
    );
  });
});
