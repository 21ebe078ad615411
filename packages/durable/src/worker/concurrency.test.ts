import { describe, expect, it } from 'vitest';
import { pauseWork, resumeWork } from '../control/kill-switches.ts';
import type { ClaimCommand } from '../store/commands.ts';
import { workBench } from '../testing/work-bench.ts';

/** Counts how many run at once. */
function counted(clock: { setTimer: (ms: number, wake: () => void) => unknown }, ms: number) {
  const now = { running: 0, most: 0, done: 0 };
  const handler = async () => {
    now.running += 1;
    now.most = Math.max(now.most, now.running);
    await new Promise<void>((resolve) => clock.setTimer(ms, resolve));
    now.running -= 1;
    now.done += 1;
  };
  return { now, handler };
}

/** Every claim that the worker asks for. */
function claimsOf(store: { apply: (commands: never) => Promise<unknown> }): ClaimCommand[] {
  const claims: ClaimCommand[] = [];
  const { apply } = store;
  Object.assign(store, {
    apply: (commands: never) => {
      claims.push(...(commands as readonly ClaimCommand[]).filter(({ kind }) => kind === 'claim'));
      return apply(commands);
    },
  });
  return claims;
}

/** Every step takes this long. */
function answerIn(
  store: { apply: (commands: never) => Promise<unknown> },
  clock: { setTimer: (ms: number, wake: () => void) => unknown },
  ms: number,
): void {
  const { apply } = store;
  Object.assign(store, {
    apply: async (commands: never) => {
      const results = await apply(commands);
      await new Promise<void>((resolve) => clock.setTimer(ms, resolve));
      return results;
    },
  });
}

describe('concurrency', () => {
  it('is limited per process', async () => {
    const late = {
      setTimer: (_ms: number, wake: () => void): unknown => clock.setTimer(_ms, wake),
    };
    const { now, handler } = counted(late, 100);
    const { jobs, clock } = workBench({ run: handler }, { concurrency: 7 });
    await jobs.enqueueMany('run', Array(50).fill(null));
    await jobs.start();
    await clock.advance(2_000);
    expect(now).toEqual({ running: 0, most: 7, done: 50 });
  });

  it.each([
    [1_000, 50, 10],
    [100, 50, 10],
    [10, 50, 10],
    [10, 30, 10],
    [100, 50, 40],
  ])(
    '%i at once with %i ms handlers reach 90 % of the ideal rate, on a store that takes %i ms',
    async (concurrency, ms, storeMs) => {
      const late = { setTimer: (forMs: number, wake: () => void) => clock.setTimer(forMs, wake) };
      const { now, handler } = counted(late, ms);
      const { jobs, clock, store } = workBench({ run: handler }, { concurrency });
      for (let n = 0; n < 8 * concurrency; n += 1_000)
        await jobs.enqueueMany('run', Array(1_000).fill(null));
      answerIn(store, clock, storeMs);
      await jobs.start();
      await clock.advance(4 * ms);
      let busy = 0;
      for (let at = 0; at < 2 * ms; at++) {
        await clock.advance(1);
        busy += now.running / concurrency;
      }
      // All attempts take the same time, so the places that are in use are the rate.
      expect(busy / (2 * ms)).toBeGreaterThan(0.9);
    },
  );

  it('is limited per handler, and one at its limit does not hold up the others', async () => {
    const late = { setTimer: (ms: number, wake: () => void): unknown => clock.setTimer(ms, wake) };
    const slow = counted(late, 1_000);
    const quick = counted(late, 10);
    const { jobs, clock } = workBench(
      { slow: { run: slow.handler, concurrency: 2 }, quick: quick.handler },
      { concurrency: 5 },
    );
    await jobs.enqueueMany('slow', Array(20).fill(null));
    await jobs.enqueueMany('quick', Array(30).fill(null));
    await jobs.start();
    await clock.advance(900);
    expect(slow.now).toMatchObject({ running: 2, most: 2 });
    expect(quick.now).toMatchObject({ done: 30, most: 3 });
    await clock.advance(20_000);
    expect(slow.now).toEqual({ running: 0, most: 2, done: 20 });
  });

  it('is limited per key over all processes', async () => {
    const late = { setTimer: (ms: number, wake: () => void): unknown => clock.setTimer(ms, wake) };
    const { now, handler } = counted(late, 50);
    const one = workBench({ run: { run: handler, limitPerKey: 2 } }, { worker: 'w1' });
    const { clock, store } = one;
    const two = workBench(
      { run: { run: handler, limitPerKey: 2 } },
      { worker: 'w2', store },
      clock,
    );
    await one.jobs.enqueueMany('run', Array(10).fill(null), { limitKey: 'account 1' });
    await one.jobs.start();
    await two.jobs.start();
    await clock.advance(3_000);
    expect(now).toEqual({ running: 0, most: 2, done: 10 });
  });

  it('serves the named queues only', async () => {
    const seen: string[] = [];
    const { jobs, clock } = workBench(
      { run: (_: unknown, { queue }) => void seen.push(queue) },
      { queues: ['a', 'b'] },
    );
    for (const queue of ['a', 'c', 'b', 'default']) await jobs.enqueue('run', null, { queue });
    await jobs.start();
    await clock.advance(100);
    expect(seen.sort()).toEqual(['a', 'b']);
  });

  it('passes over what is paused, and goes on when it is resumed', async () => {
    let runs = 0;
    const { jobs, clock, store } = workBench({
      run: () => {
        runs += 1;
      },
    });
    const pause = { scope: 'handler', name: 'run', actor: { name: 'test' } } as const;
    await pauseWork(store, pause);
    await jobs.enqueue('run', null);
    await jobs.start();
    await clock.advance(10_000);
    expect(runs).toBe(0);
    await resumeWork(store, pause);
    await clock.advance(10);
    expect(runs).toBe(1);
  });

  it('tenants take turns', async () => {
    const order: string[] = [];
    const { jobs, clock } = workBench(
      { run: async (_: unknown, { tenant }) => void order.push(tenant) },
      { concurrency: 1 },
    );
    await jobs.enqueueMany('run', Array(1_000).fill(null), { tenant: 'a' });
    await jobs.enqueueMany('run', Array(10).fill(null), { tenant: 'b' });
    await jobs.start();
    await clock.advance(100);
    expect(order.lastIndexOf('b')).toBeLessThan(30);
    expect(order).toHaveLength(1_010);
  });
});

describe('claiming ahead', () => {
  it('is not done for few slow handlers at once', async () => {
    const late = { setTimer: (ms: number, wake: () => void): unknown => clock.setTimer(ms, wake) };
    const { now, handler } = counted(late, 100);
    const { jobs, clock, store } = workBench({ run: handler }, { concurrency: 4 });
    const claims = claimsOf(store);
    await jobs.enqueueMany('run', Array(40).fill(null));
    await jobs.start();
    await clock.advance(1_500);
    expect(now.done).toBe(40);
    expect(claims.every(({ ahead }) => ahead === 0)).toBe(true);
  });

  it('is not done where a person decides about unknown effects: a crash would send them what never started', async () => {
    const { jobs, clock, store } = workBench(
      {
        run: { run: () => {}, onUnknown: 'dead_letter' },
        other: { run: () => {}, onUnknown: 'dead_letter' },
      },
      { concurrency: 4 },
    );
    const claims = claimsOf(store);
    await jobs.enqueueMany('run', Array(200).fill(null));
    await jobs.enqueueMany('other', Array(200).fill(null));
    await jobs.start();
    await clock.advance(1_000);
    expect((await store.counts()).groups.map(({ state, count }) => [state, count])).toEqual([
      ['succeeded', 200],
      ['succeeded', 200],
    ]);
    expect(claims.every(({ ahead, limit }) => ahead === 0 && limit <= 4)).toBe(true);
  });

  it('grows with the speed of handlers, up to 2,000', async () => {
    const { jobs, clock, store } = workBench({ run: () => {} }, { concurrency: 4 });
    const claims = claimsOf(store);
    await jobs.enqueueMany('run', Array(5_000).fill(null));
    await jobs.start();
    await clock.advance(100);
    expect((await store.counts()).groups).toMatchObject([{ state: 'succeeded', count: 5_000 }]);
    const most = Math.max(...claims.map(({ ahead, limit }) => ahead + limit));
    expect(claims[0]).toMatchObject({ limit: 4, ahead: 0 });
    expect(most).toBeGreaterThan(400);
    expect(most).toBeLessThanOrEqual(2_004);
  });

  it('is in between for those in between', async () => {
    const late = { setTimer: (ms: number, wake: () => void): unknown => clock.setTimer(ms, wake) };
    const { handler } = counted(late, 10);
    const { jobs, clock, store } = workBench({ run: handler }, { concurrency: 4 });
    const claims = claimsOf(store);
    await jobs.enqueueMany('run', Array(200).fill(null));
    await jobs.start();
    await clock.advance(2_000);
    const most = Math.max(...claims.map(({ ahead }) => ahead));
    // Twenty milliseconds of work for four at a time.
    expect(most).toBe(8);
  });

  it('keeps large payloads from filling the memory', async () => {
    const { jobs, clock, store } = workBench({ run: () => {} }, { concurrency: 2 });
    const claims = claimsOf(store);
    await jobs.enqueueMany('run', Array(60).fill('x'.repeat(1_000_000)));
    await jobs.start();
    await clock.advance(100);
    const most = Math.max(...claims.map(({ ahead }) => ahead));
    expect(most).toBeGreaterThan(4);
    expect(most).toBeLessThanOrEqual(17);
  });

  it('takes jobs on their last attempt', async () => {
    const late = { setTimer: (ms: number, wake: () => void): unknown => clock.setTimer(ms, wake) };
    const { handler, now } = counted(late, 1);
    const { jobs, clock, store } = workBench(
      { run: { run: handler, policy: { maxAttempts: 1 } } },
      { concurrency: 4 },
    );
    const claims = claimsOf(store);
    await jobs.enqueueMany('run', Array(200).fill(null));
    await jobs.start();
    await clock.advance(100);
    expect(now.done).toBe(200);
    expect(Math.max(...claims.map(({ ahead }) => ahead))).toBeGreaterThan(20);
  });

  it('does not keep a job that has lost a lease waiting behind all the others', async () => {
    const order: string[] = [];
    const { jobs, clock, store } = workBench(
      {
        run: async (name: string) => {
          await new Promise<void>((resolve) => clock.setTimer(1, resolve));
          order.push(name);
        },
      },
      { concurrency: 2, sweepMs: 300 },
    );
    await jobs.enqueue('run', 'lost');
    const lanes = [{ handler: 'run', limit: 1, policyHash: 'hash', limitPerKey: 1 }];
    await store.apply([{ kind: 'claim', worker: 'gone', leaseMs: 200, lanes, limit: 1, ahead: 0 }]);
    await clock.advance(1);
    await jobs.enqueueMany('run', Array(1_500).fill('other'));
    await jobs.start();
    await clock.advance(1_000);
    expect(order).toHaveLength(1_501);
    // It is ready after about 600 of them, and the oldest then. Claims that go ahead pass it over; but each has room for one.
    expect(order.indexOf('lost')).toBeLessThan(800);
  });

  it('does not lose jobs of a handler that is at its own limit', async () => {
    const late = {
      setTimer: (ms: number, wake: () => void): unknown => clock.setTimer(ms, wake),
    };
    const { now, handler } = counted(late, 1);
    const { jobs, clock } = workBench(
      { run: { run: handler, concurrency: 1 }, other: () => {} },
      { concurrency: 5 },
    );
    await jobs.enqueueMany('run', Array(100).fill(null));
    await jobs.start();
    await clock.advance(200);
    expect(now).toEqual({ running: 0, most: 1, done: 100 });
  });

  it('goes on with those that waited for a handler’s limit when the one before them may not start', async () => {
    let calls = 0;
    const { jobs, clock, store } = workBench(
      {
        call: {
          run: async () => {
            calls += 1;
            if (calls > 40) throw new Error('down');
          },
          concurrency: 1,
          policy: { enableCircuitBreaker: true, circuitBreakerThreshold: 1 },
          dependency: 'images',
        },
      },
      { concurrency: 5 },
    );
    await jobs.enqueueMany('call', Array(100).fill(null));
    await jobs.start();
    // Before the first probe, and long before what waits here for a third of its lease is given back.
    await clock.advance(400);
    expect(calls).toBe(41);
    const { groups } = await store.counts();
    const counts = Object.fromEntries(groups.map(({ state, count }) => [state, count]));
    expect(counts).toEqual({ succeeded: 40, scheduled: 1, parked: 59 });
  });

  it('is not done where a job names a policy with a TTL of less than two leases', async () => {
    const { jobs, clock, store } = workBench({ run: () => {} }, { concurrency: 2, policies });
    const claims = claimsOf(store);
    await jobs.enqueueMany('run', Array(20).fill(null), { policy: 'brief' });
    await jobs.start();
    await clock.advance(100);
    expect((await store.counts()).groups).toMatchObject([{ state: 'succeeded', count: 20 }]);
    expect(claims.every(({ ahead }) => ahead === 0)).toBe(true);
  });

  it('leaves slow handlers alone where there are both', async () => {
    const late = { setTimer: (ms: number, wake: () => void): unknown => clock.setTimer(ms, wake) };
    const slow = counted(late, 200);
    const { jobs, clock, store } = workBench(
      { slow: { run: slow.handler, concurrency: 2 }, quick: () => {} },
      { concurrency: 6 },
    );
    await jobs.enqueueMany('slow', Array(50).fill(null));
    await jobs.enqueueMany('quick', Array(2_000).fill(null));
    await jobs.start();
    const leased = async () =>
      (await store.counts()).groups
        .filter(({ state, handler }) => state === 'leased' && handler === 'slow')
        .reduce((sum, { count }) => sum + count, 0);
    let most = 0;
    for (let step = 0; step < 60; step++) {
      await clock.advance(100);
      most = Math.max(most, await leased());
    }
    expect(most).toBe(2);
    expect(slow.now.done).toBe(50);
  });
});

import { definePolicy } from '@redrive/core';

const brief = definePolicy({ id: 'brief', ttlMs: 60_000 });
const policies = (id: string) => (id === 'brief' ? brief : undefined);
