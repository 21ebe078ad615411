import { isRedriveError } from '@redrive/core';
import { settleWith } from '@redrive/testkit/conformance/audit-store';
import { describe, expect, it } from 'vitest';
import { RUNS_DEFAULT } from '../handler/runs-default.ts';
import type { LeasedJob } from '../job/job.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { workBench } from '../testing/work-bench.ts';

const LEASE = 30_000;

/** Handlers that run until the test lets them go, and notice their abort. */
function held() {
  const aborts: unknown[] = [];
  const releases: (() => void)[] = [];
  const tokens: number[] = [];
  return {
    aborts,
    tokens,
    release: () => releases.splice(0).forEach((release) => void release()),
    handler: (_payload: unknown, { signal, token }: { signal: AbortSignal; token: number }) => {
      tokens.push(token);
      signal.addEventListener('abort', () => aborts.push(signal.reason), { once: true });
      return new Promise<string>((resolve) => releases.push(() => resolve('done')));
    },
  };
}

describe('leases', () => {
  it('are kept by heartbeats for as long as a handler runs', async () => {
    const work = held();
    const { jobs, clock, look, notices } = workBench({ run: work.handler });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(10 * 60_000);
    expect(await look(id)).toMatchObject({ state: 'leased', token: 1 });
    work.release();
    await clock.advance(10);
    expect(await look(id)).toMatchObject({ state: 'succeeded', account: { claims: 1 } });
    expect(work.aborts).toEqual([]);
    expect(notices.map(({ kind }) => kind)).toEqual(['started']);
  });

  it('are kept for what waits in the local queue, which is given back after a while', async () => {
    const order: number[] = [];
    let block: (() => void) | undefined;
    const { jobs, clock, store } = workBench(
      {
        run: async (n: number) => {
          order.push(n);
          if (n === 50) await new Promise<void>((resolve) => (block = resolve));
        },
      },
      { concurrency: 1 },
    );
    await jobs.enqueueMany(
      'run',
      Array.from({ length: 200 }, (_, n) => n),
    );
    await jobs.start();
    await clock.advance(1_000);
    expect(order.at(-1)).toBe(50);
    const leased = async () =>
      (await store.jobs({ states: ['leased'] }, { limit: 1_000 })).jobs.length;
    // The handlers took no time until now, so others were claimed ahead.
    expect(await leased()).toBeGreaterThan(100);
    await clock.advance(LEASE);
    expect(await leased()).toBe(1);
    const { jobs: ready } = await store.jobs({ states: ['ready'] }, { limit: 1_000 });
    expect(ready).toHaveLength(149);
    for (const { account, token } of ready) {
      if (token === 0) continue;
      expect(account.entries).toMatchObject({ interrupted: 1, failed: 0, lease_lost: 0 });
    }
    block?.();
    await clock.advance(1_000);
    expect(order).toHaveLength(200);
  });

  it('that are lost abort the handler’s signal, and its result is not written', async () => {
    const work = held();
    const clockStore = workBench({ run: work.handler });
    const { jobs, clock, store, look, noticesOf } = clockStore;
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    // Somebody else settles it: the token rises.
    const job = (await look(id)) as LeasedJob;
    const policy = (await store.policy(job.lease.policyHash))?.policy ?? RUNS_DEFAULT;
    const limited = { kind: 'failure', errorClass: 'rate_limited', effect: 'none' } as const;
    const settlement = settleWith(job, { ...limited, retryAfterMs: 3_600_000 }, policy);
    await store.apply([{ kind: 'settle', settlement }]);
    await clock.advance(LEASE / 3);
    expect(noticesOf('lease_lost')).toEqual([{ kind: 'lease_lost', jobId: id, handler: 'run' }]);
    expect(isRedriveError(work.aborts[0], 'lease_lost')).toBe(true);
    work.release();
    await clock.advance(100);
    expect(await look(id)).toMatchObject({ state: 'scheduled' });
    expect(noticesOf('stale_settlement')).toEqual([]);
  });

  it('that ran out while the store was silent are given up by the monotonic clock', async () => {
    const work = held();
    const bench = workBench({ run: work.handler });
    const { clock } = bench;
    await bench.stop();
    const store = faultyStore(memoryStore({ clock }));
    const { jobs, noticesOf, look } = workBench({ run: work.handler }, { store }, clock);
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    store.fault = { calls: ['heartbeat', 'pulse'], when: 'before' };
    await clock.advance(LEASE - 1);
    expect(work.aborts).toEqual([]);
    await clock.advance(1);
    expect(isRedriveError(work.aborts[0], 'lease_lost')).toBe(true);
    expect(noticesOf('lease_lost')).toHaveLength(1);
    // Nobody else has taken it, so its end still counts.
    work.release();
    await clock.advance(100);
    expect(await look(id)).toMatchObject({ state: 'succeeded' });
  });

  it('are kept when one heartbeat is never answered', async () => {
    const work = held();
    const bench = workBench({ run: work.handler });
    const { clock } = bench;
    await bench.stop();
    const store = faultyStore(memoryStore({ clock }));
    const { jobs, look } = workBench({ run: work.handler }, { store, leaseMs: 3_000 }, clock);
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    store.fault = { calls: ['heartbeat'], when: 'never' };
    await clock.advance(1_000);
    expect(store.calls.get('heartbeat')).toBe(1);
    store.fault = undefined;
    await clock.advance(60_000);
    expect(work.aborts).toEqual([]);
    expect(await look(id)).toMatchObject({ state: 'leased', token: 1 });
    work.release();
    await clock.advance(10);
  });

  it.each([
    [1, 'lease_lost'],
    [2, 'process_lost'],
  ])(
    'a handler that stops because of it leaves a lost lease, if that can still be written: with concurrency %i %s',
    async (concurrency, entry) => {
      const bench = workBench({ run: () => {} });
      const { clock } = bench;
      await bench.stop();
      const store = faultyStore(memoryStore({ clock }));
      const { jobs, look } = workBench(
        {
          run: (_: unknown, { signal }) =>
            new Promise((_resolve, reject) =>
              signal.addEventListener('abort', () => reject(signal.reason)),
            ),
        },
        { store, concurrency },
        clock,
      );
      await jobs.start();
      const { id } = await jobs.enqueue('run', null);
      await clock.advance(0);
      store.fault = { calls: ['heartbeat', 'pulse'], when: 'never' };
      await clock.advance(LEASE);
      store.fault = undefined;
      expect((await look(id)).attempts.kept[0]).toMatchObject({
        entry,
        reason: 'lease_lost',
      });
      // The first one goes on at once.
      expect(await look(id)).toMatchObject({ state: 'leased', token: 3 });
    },
  );

  it('do not starve behind a store that is busy with work', async () => {
    const work = held();
    const bench = workBench({ run: () => {} });
    const { clock } = bench;
    await bench.stop();
    const store = faultyStore(memoryStore({ clock }));
    const { jobs, look } = workBench({ run: work.handler }, { store }, clock);
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    store.fault = { calls: ['apply', 'pulse'], when: 'never' };
    await clock.advance(20 * LEASE);
    expect(work.aborts).toEqual([]);
    expect((await look(id)).lease?.untilMs).toBeGreaterThan(clock.now());
    store.fault = undefined;
    work.release();
  });

  it('that run out after the attempt was interrupted are reported once, and its handler gets no more time', async () => {
    const work = held();
    const bench = workBench({ run: () => {} });
    const { clock } = bench;
    await bench.stop();
    const store = faultyStore(memoryStore({ clock }));
    const { jobs, noticesOf } = workBench({ run: work.handler }, { store }, clock);
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    store.fault = { calls: ['heartbeat', 'pulse'], when: 'before' };
    // Just before the lease runs out: a cancelled handler has two seconds.
    await clock.advance(LEASE - 1_000);
    await jobs.cancel(id);
    expect(work.aborts).toHaveLength(1);
    await clock.advance(1_000);
    expect(noticesOf('lease_lost')).toHaveLength(1);
    store.fault = undefined;
    await clock.advance(15_000);
    expect(noticesOf('lease_lost')).toHaveLength(1);
    // The handler is not waited for any longer.
    expect(await jobs.idle()).toEqual({ died: 0, succeeded: 0, left: [] });
    work.release();
  });

  it('an event loop that stood still past the lease: what waited is given back, not started', async () => {
    const started: number[] = [];
    let calls = 0;
    const { jobs, clock, look, store } = workBench(
      {
        run: (n: number) => {
          started.push(n);
          calls += 1;
          // Time passes without a timer getting its turn, as in a long synchronous computation.
          if (calls === 30) jump(clock);
        },
      },
      { concurrency: 1 },
    );
    function jump(moving: typeof clock): void {
      const { monotonic, now } = moving;
      const jumpMs = 2 * LEASE;
      Object.assign(moving, {
        monotonic: () => monotonic() + jumpMs,
        now: () => now() + jumpMs,
      });
    }
    const many = await jobs.enqueueMany(
      'run',
      Array.from({ length: 100 }, (_, n) => n),
    );
    await jobs.start();
    await clock.advance(5_000);
    expect(new Set(started).size).toBe(100);
    // Whatever was in the local queue then has been given back, and claimed anew.
    const given = await Promise.all(many.map(async ({ id }) => (await look(id)).account.entries));
    expect(given.filter(({ interrupted }) => interrupted === 1).length).toBeGreaterThan(50);
    expect(given.every(({ succeeded }) => succeeded === 1)).toBe(true);
    const states = await Promise.all(many.map(async ({ id }) => (await look(id)).state));
    expect(new Set(states)).toEqual(new Set(['succeeded']));
    expect((await store.counts()).groups.map(({ state }) => state)).toEqual(['succeeded']);
  });
});
