import { RedriveError } from '@redrive/core';
import { jobsOn, memoryStore } from '@redrive/durable';
import { expectNoTimers, virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { StoreTrouble, storeCheck } from './health.ts';

const NO_TROUBLE = { text: undefined };

const fails = { kind: 'store_unavailable', error: new Error('disk full'), retryInMs: 100 } as const;

test('a worker that cannot write is not well until the store is back', () => {
  const trouble = new StoreTrouble(virtualClock());
  expect(trouble.text).toBeUndefined();
  trouble.observe(fails);
  trouble.observe({ kind: 'pruned', deleted: 1 });
  expect(trouble.text).toBe('disk full');
  trouble.observe({ kind: 'store_back', afterMs: 100 });
  expect(trouble.text).toBeUndefined();
});

test('trouble that nobody speaks of any more is over', () => {
  const clock = virtualClock();
  const trouble = new StoreTrouble(clock);
  trouble.observe(fails);
  clock.tick(15_000);
  trouble.observe(fails);
  clock.tick(15_000);
  expect(trouble.text).toBe('disk full');
  clock.tick(100);
  expect(trouble.text).toBeUndefined();
});

test('many probes are one question to the store, and a fresh answer counts for half a second', async () => {
  const clock = virtualClock();
  let asked = 0;
  let away = false;
  const store = memoryStore();
  const check = storeCheck(
    {
      ...store,
      pulse: async (handlers) => {
        asked += 1;
        if (away) throw new RedriveError('store_unavailable', 'gone');
        return store.pulse(handlers);
      },
    },
    clock,
    NO_TROUBLE,
  );
  expect(await Promise.all([check(), check(), check()])).toEqual([undefined, undefined, undefined]);
  away = true;
  expect(await check()).toBeUndefined();
  expect(asked).toBe(1);
  clock.tick(600);
  expect(await check()).toBe('gone');
  expect(asked).toBe(2);
  expect(clock.pendingTimers).toBe(0);
});

test('a store that does not answer is not waited for', async () => {
  const clock = virtualClock();
  const check = storeCheck(
    { ...memoryStore(), pulse: () => new Promise(() => {}) },
    clock,
    NO_TROUBLE,
  );
  const answer = check();
  await clock.advance(2_000);
  expect(await answer).toBe('no answer within 2000 ms');
});

test('a store that answers and cannot be written is not well', async () => {
  const clock = virtualClock();
  const locked = { ...memoryStore(), heartbeat: () => new Promise<never>(() => {}) };
  const answer = storeCheck(locked, clock, NO_TROUBLE)();
  await clock.advance(2_000);
  expect(await answer).toBe('no answer within 2000 ms');
});

test('what the worker has come up against counts, whatever the store answers', async () => {
  const check = storeCheck(memoryStore(), virtualClock(), { text: 'disk full' });
  expect(await check()).toBe('disk full');
});

test('jobs.health() follows the worker from its start to its stop', async () => {
  const clock = virtualClock();
  const store = memoryStore({ clock });
  const { promise: isStarted, resolve: starts } = Promise.withResolvers<void>();
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const slow = async () => {
    starts();
    await mayEnd;
  };
  const jobs = jobsOn(store, { slow }, { clock });
  const of = (problem?: string) => ({
    live: true,
    ready: problem === undefined,
    checks: [problem ? { name: 'worker', problem } : { name: 'worker' }, { name: 'store' }],
  });
  expect(await jobs.health()).toEqual(of('not started'));
  const starting = jobs.start();
  expect(await jobs.health()).toEqual(of('starting'));
  await starting;
  expect(await jobs.health()).toEqual(of());
  await jobs.enqueue('slow', undefined);
  await clock.advance(10);
  await isStarted;
  const stopping = jobs.stop();
  expect(await jobs.health()).toEqual(of('stopping'));
  end();
  await clock.advance(60_000);
  await stopping;
  expect(await jobs.health()).toEqual(of('not started'));
  await store.close();
  expectNoTimers(clock);
});

test('jobs.health() says what is wrong with the store', async () => {
  const clock = virtualClock();
  const store = memoryStore({ clock });
  const away = new RedriveError('store_unavailable', 'the database is away');
  const jobs = jobsOn({ ...store, pulse: () => Promise.reject(away) }, {}, { clock });
  const { ready, checks } = await jobs.health();
  expect([ready, checks[1]]).toEqual([false, { name: 'store', problem: 'the database is away' }]);
  await store.close();
});
