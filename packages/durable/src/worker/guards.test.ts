import { circuitBreakers, retryBudgets } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { retryAfter } from '../handler/verdict.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';

const policy = {
  maxAttempts: 10,
  backoff: 'fixed',
  baseDelayMs: 1_000,
  jitter: 'none',
  enableCircuitBreaker: true,
  circuitBreakerThreshold: 3,
  circuitBreakerTimeoutMs: 60_000,
} as const;

describe('a circuit breaker', () => {
  it('parks jobs that would run, and releases them when a probe succeeds; a failed one waits for its back-off first', async () => {
    let isDown = true;
    let calls = 0;
    const handler = async () => {
      calls += 1;
      if (isDown) throw new Error('down');
    };
    const { jobs, clock, store } = workBench(
      { call: { run: handler, policy, dependency: 'images' } },
      { concurrency: 1 },
    );
    await jobs.enqueueMany('call', [1, 2, 3, 4, 5, 6]);
    await jobs.start();
    await clock.advance(100);
    expect(calls).toBe(3);
    const { jobs: parked } = await store.jobs({ states: ['parked'] }, { limit: 100 });
    expect(parked.map(({ cause }) => cause)).toEqual(Array(3).fill('breaker:images'));
    // They did not run and are charged nothing.
    expect(parked.every(({ account }) => account.entries.blocked === 1)).toBe(true);
    await clock.advance(2_000);
    expect((await store.parks()).map(({ count }) => count)).toEqual([6]);
    expect(parked.every(({ dueAtMs }) => (dueAtMs ?? 0) > START_MS + 59_000)).toBe(true);
    isDown = false;
    await clock.advance(10 * 60_000);
    const counts = await store.counts();
    expect(counts.groups).toEqual([
      { queue: 'default', handler: 'call', state: 'succeeded', count: 6 },
    ]);
  });

  it('that is not there any more: what it parked is released all the same, when its time has passed', async () => {
    const { jobs, clock, store, look } = workBench({
      call: {
        run: () => Promise.reject(new Error('down')),
        policy: { ...policy, circuitBreakerThreshold: 1 },
        dependency: 'images',
      },
    });
    const { id } = await jobs.enqueue('call', null);
    await jobs.start();
    await clock.advance(2_000);
    expect((await look(id)).state).toBe('parked');
    const stopped = jobs.stop();
    await clock.advance(120_000);
    await stopped;
    const other = workBench({ call: () => 'fine' }, { store, worker: 'w2' }, clock);
    await other.jobs.start();
    await clock.advance(10);
    expect((await look(id)).state).toBe('succeeded');
  });

  it('is asked for by the policy’s id where no dependency is named', async () => {
    const { jobs, clock, store } = workBench({
      call: {
        run: () => Promise.reject(new Error('down')),
        policy: { ...policy, id: 'mail', circuitBreakerThreshold: 1 },
      },
    });
    const { id } = await jobs.enqueue('call', null);
    await jobs.start();
    await clock.advance(2_000);
    expect(await store.job(id)).toMatchObject({ state: 'parked', cause: 'breaker:mail' });
  });

  it('can be the application’s own, and gets every outcome', async () => {
    const clock = virtualClock({ startMs: START_MS });
    const breakers = circuitBreakers({ clock });
    const { jobs } = workBench(
      { call: { run: () => Promise.reject(new Error('down')), policy, dependency: 'images' } },
      { breakers },
      clock,
    );
    await jobs.enqueueMany('call', [1, 2]);
    await jobs.start();
    await clock.advance(0);
    expect(breakers.states()).toMatchObject([{ policy_id: 'images', failure_count: 2 }]);
    // A stop says nothing about the dependency.
  });

  it('gets its permit back from an attempt that was taken away', async () => {
    const clock = virtualClock({ startMs: START_MS });
    const breakers = circuitBreakers({ clock, probes: 1 });
    let isDown = true;
    const { jobs } = workBench(
      {
        call: {
          run: (_: unknown, { signal }) =>
            isDown
              ? Promise.reject(new Error('down'))
              : new Promise((_resolve, reject) =>
                  signal.addEventListener('abort', () => reject(signal.reason)),
                ),
          policy: { ...policy, circuitBreakerThreshold: 1 },
          dependency: 'images',
        },
      },
      { breakers },
      clock,
    );
    await jobs.enqueue('call', null);
    await jobs.start();
    await clock.advance(0);
    isDown = false;
    await clock.advance(61_000);
    expect(breakers.states()).toMatchObject([{ state: 'half_open' }]);
    const stopped = jobs.stop({ mode: 'release' });
    await clock.advance(0);
    await stopped;
    expect(breakers.for('images').openForMs()).toBe(0);
  });
});

describe('a breaker of this process alone', () => {
  it('parks for its own time: what waits is not tried again and again before', async () => {
    const clock = virtualClock({ startMs: START_MS });
    let isDown = true;
    const run = async () => {
      if (isDown) throw new Error('down');
    };
    const { jobs, store } = workBench(
      { call: { run, policy, dependency: 'images' } },
      { breakers: circuitBreakers({ clock }), concurrency: 1 },
      clock,
    );
    await jobs.enqueueMany('call', Array(20).fill(null));
    await jobs.start();
    await clock.advance(10_000);
    const { jobs: parked } = await store.jobs({ states: ['parked'] }, { limit: 100 });
    expect(new Set(parked.map(({ cause }) => cause))).toEqual(new Set(['local-breaker:images']));
    expect(parked).toHaveLength(20);
    // Two failed before the third opened it, and looked once more after their delay.
    expect(parked.map(({ account }) => account.claims).filter((claims) => claims > 1)).toEqual([
      2, 2,
    ]);
    isDown = false;
    await clock.advance(10 * 60_000);
    expect((await store.jobs({ states: ['succeeded'] }, { limit: 100 })).jobs).toHaveLength(20);
  });
});

describe('a hint, when the breaker opens', () => {
  it.each([
    ['without a dependency', {}, {}],
    ['without gates', { dependency: 'api' }, { maxGateMs: 0 }],
    ['over the ceiling of gates', { dependency: 'api' }, { maxGateMs: 1_000 }],
  ])('is waited for %s', async (_, handler, options) => {
    const clock = virtualClock({ startMs: START_MS });
    const calls: number[] = [];
    const run = () => {
      calls.push(clock.now() - START_MS);
      return calls.length <= 3 ? retryAfter(60_000) : undefined;
    };
    const { jobs, store } = workBench({ call: { run, policy, ...handler } }, options, clock);
    await jobs.enqueueMany('call', [1, 2, 3]);
    await jobs.start();
    await clock.advance(59_999);
    expect(calls).toEqual([0, 0, 0]);
    const [breaker] = (await store.controls()).all.filter(({ kind }) => kind === 'breaker');
    expect(JSON.parse(breaker?.document ?? '{}')).toMatchObject({ state: 'open' });
    await clock.advance(60_000);
    const { jobs: done } = await store.jobs({ states: ['succeeded'] }, { limit: 100 });
    // The refund is as it would be without a breaker.
    expect(done.map(({ account }) => account.entries.rate_limited)).toEqual([1, 1, 1]);
  });
});

describe('a retry budget', () => {
  it('parks retries that it has no token for, without a dead letter, until it has one', async () => {
    let isDown = true;
    const clock = virtualClock({ startMs: START_MS });
    const budgets = retryBudgets({ burst: 2, ratio: 0, floorPerSecond: 0.1, clock });
    const { jobs, store } = workBench(
      {
        call: {
          run: async () => {
            if (isDown) throw new Error('down');
          },
          policy: { maxAttempts: 5, backoff: 'fixed', baseDelayMs: 1_000, jitter: 'none' },
          dependency: 'images',
        },
      },
      { budgets },
      clock,
    );
    await jobs.enqueueMany('call', [1, 2, 3, 4]);
    await jobs.start();
    await clock.advance(0);
    const { jobs: parked } = await store.jobs({ states: ['parked'] }, { limit: 100 });
    expect(parked.map(({ cause, reason }) => [cause, reason])).toEqual(
      Array(2).fill(['budget:images', 'budget_exhausted']),
    );
    expect((await store.jobs({ states: ['scheduled'] }, { limit: 100 })).jobs).toHaveLength(2);
    isDown = false;
    await clock.advance(5_000);
    expect((await store.jobs({ states: ['succeeded'] }, { limit: 100 })).jobs).toHaveLength(4);
  });

  it('is filled by successes', async () => {
    const clock = virtualClock({ startMs: START_MS });
    const budgets = retryBudgets({ burst: 1, ratio: 0.5, floorPerSecond: 0, clock });
    const budget = budgets.for('images');
    budget.take('retryable');
    const { jobs } = workBench(
      { call: { run: () => 'fine', dependency: 'images' } },
      { budgets },
      clock,
    );
    await jobs.enqueueMany('call', [1, 2]);
    await jobs.start();
    await clock.advance(0);
    expect(budget.tokens).toBe(1);
  });
});
