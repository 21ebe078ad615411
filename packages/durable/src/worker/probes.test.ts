import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { gateKey } from '../control/rules/documents.ts';
import { updateControl } from '../control/update-control.ts';
import { retryAfter } from '../handler/verdict.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';

/** The first failure opens the breaker. */
const opening = {
  maxAttempts: 10,
  backoff: 'fixed',
  baseDelayMs: 1_000,
  jitter: 'none',
  enableCircuitBreaker: true,
  circuitBreakerThreshold: 1,
  circuitBreakerTimeoutMs: 1_000,
} as const;

describe('a probe', () => {
  it('whose job somebody else has makes room for the next one', async () => {
    const clock = virtualClock({ startMs: START_MS });
    const store = faultyStore(memoryStore({ clock }));
    let calls = 0;
    const run = () => {
      calls += 1;
      if (calls === 1) return Promise.reject(new Error('down'));
      return calls === 2 ? new Promise(() => {}) : 'fine';
    };
    const { jobs, look } = workBench(
      { call: { run, policy: opening, dependency: 'images' } },
      { store },
      clock,
    );
    const { id } = await jobs.enqueue('call', null);
    await jobs.start();
    await clock.advance(2_000);
    expect(calls).toBe(2);
    const { heartbeat } = store;
    store.heartbeat = async (leases) => leases.map(() => 'lost');
    await clock.advance(20_000);
    store.heartbeat = heartbeat;
    await clock.advance(30_000);
    expect(calls).toBe(3);
    expect((await look(id)).state).toBe('succeeded');
  });

  it('that fails costs its job nothing, no free wait of a rate limit either', async () => {
    let calls = 0;
    const run = async () => {
      calls += 1;
      if (calls === 1) throw new Error('down');
      return calls <= 6 ? retryAfter(1_000) : undefined;
    };
    const down = () => Promise.reject(new Error('down'));
    const { jobs, clock, look } = workBench({
      last: { run: down, policy: { ...opening, maxAttempts: 1 }, dependency: 'images' },
      call: { run, policy: { ...opening, maxAttempts: 2 }, dependency: 'images' },
    });
    await jobs.enqueue('last', null);
    await jobs.start();
    await clock.advance(50);
    const { id } = await jobs.enqueue('call', null);
    await clock.advance(10 * 60_000);
    const { state, account, attempts } = await look(id);
    expect(state).toBe('succeeded');
    expect(account).toMatchObject({
      entries: { failed: 0, rate_limited: 0 },
      freeWaits: 0,
      freeWaitMs: 0,
    });
    const waitsMs = attempts.kept.map(({ delayBeforeMs }) => delayBeforeMs);
    expect(Math.max(...waitsMs)).toBeLessThanOrEqual(1_100);
  });

  it('that hangs until another one has its place costs its job nothing either', async () => {
    const hung: (() => void)[] = [];
    let calls = 0;
    const run = async () => {
      calls += 1;
      if (calls === 1) throw new Error('down');
      if (calls > 3) return;
      await new Promise((_, reject) => hung.push(() => reject(new Error('down'))));
    };
    const policy = { ...opening, attemptTimeoutMs: 3_600_000 };
    const { jobs, clock, look } = workBench({ call: { run, policy, dependency: 'images' } });
    await jobs.start();
    await jobs.enqueue('call', null);
    await clock.advance(50);
    const { id } = await jobs.enqueue('call', null);
    await clock.advance(2_000);
    expect((await look(id)).state).toBe('leased');
    // The place of a probe is kept for five minutes.
    await clock.advance(6 * 60_000);
    expect(calls).toBe(3);
    for (const fail of hung) fail();
    await clock.advance(10_000);
    const { state, account } = await look(id);
    expect([state, account.entries.failed]).toEqual(['succeeded', 0]);
  });

  it('is soon found among many that may not run for another reason', async () => {
    let calls = 0;
    let isDown = true;
    const run = async () => {
      calls += 1;
      if (isDown) throw new Error('down');
    };
    const { jobs, clock, store } = workBench({
      last: { run, policy: { ...opening, maxAttempts: 1 }, dependency: 'images' },
      call: { run, policy: opening, dependency: 'images' },
    });
    await jobs.enqueue('last', null);
    await jobs.start();
    await clock.advance(50);
    isDown = false;
    for (const tenant of ['a', 'b', 'c', 'd', 'e', 'f'])
      await jobs.enqueue('call', null, { tenant });
    await jobs.enqueue('call', null, { tenant: 'free' });
    await clock.advance(200);
    const { jobs: parked } = await store.jobs({ states: ['parked'] }, { limit: 100 });
    expect(parked.map(({ cause }) => cause)).toEqual(Array(7).fill('breaker:images'));
    for (const tenant of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const gate = { dependency: 'images', credential: '', tenant };
      const untilMs = clock.now() + 60_000;
      await updateControl(store, {
        of: 'gate',
        key: gateKey(gate),
        next: (_, sinceMs) => ({ ...gate, sinceMs, untilMs, cut: false }),
      });
    }
    await clock.advance(3_000);
    expect(calls).toBe(2);
    const [breaker] = (await store.controls()).all.filter(({ kind }) => kind === 'breaker');
    expect(JSON.parse(breaker?.document ?? '{}')).toMatchObject({ state: 'closed' });
  });
});
