import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { recordsIn } from '../audit/read-body.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { type FaultyStore, faultyStore } from '../testing/faulty-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';
import type { ParkedCause } from './rules/documents.ts';
import type { SharedBreaker } from './rules/shared-breaker.ts';

const policy = {
  maxAttempts: 5,
  backoff: 'fixed',
  baseDelayMs: 1_000,
  jitter: 'none',
  enableCircuitBreaker: true,
  circuitBreakerThreshold: 3,
  circuitBreakerTimeoutMs: 5_000,
} as const;

/** Two workers on one store, and what they talk to. */
function twoWorkers(settings: { readonly tookMs?: number } = {}) {
  const clock = virtualClock({ startMs: START_MS });
  const stores = { backMs: 0 };
  const storeClock = {
    now: () => clock.now() - stores.backMs,
    monotonic: () => clock.monotonic(),
    setTimer: (delayMs: number, wake: () => void) => clock.setTimer(delayMs, wake),
  };
  const store: FaultyStore = faultyStore(memoryStore({ clock: storeClock }));
  const api = { isDown: false, calls: [] as number[] };
  const run = async () => {
    api.calls.push(clock.now() - START_MS);
    const { isDown } = api;
    const { tookMs = 5 } = settings;
    await new Promise<void>((resolve) => void clock.setTimer(tookMs, resolve));
    if (isDown) throw new Error('down');
  };
  const handlers = { call: { run, policy, dependency: 'api' } };
  const first = workBench(handlers, { store, worker: 'w1' }, clock);
  const second = workBench(handlers, { store, worker: 'w2' }, clock);
  return {
    clock,
    store,
    stores,
    api,
    jobs: first.jobs,
    records: first.records,
    async start() {
      await first.jobs.start();
      await second.jobs.start();
      await clock.advance(0);
    },
    async document<T>(kind: string, key: string): Promise<T | undefined> {
      const { all } = await store.controls();
      const found = all.find((each) => each.kind === kind && each.key === key);
      return found && (JSON.parse(found.document) as T);
    },
    async count(state: 'parked' | 'succeeded' | 'dead'): Promise<number> {
      return (await store.jobs({ states: [state] }, { limit: 1_000 })).jobs.length;
    },
  };
}

describe('an outage, on two workers', () => {
  it('costs a few attempts, parks the rest, probes one at a time, and brings all back at a growing pace', async () => {
    const { clock, api, jobs, start, document, count } = twoWorkers();
    api.isDown = true;
    await jobs.enqueueMany('call', Array(200).fill(null));
    await start();
    await clock.advance(400);
    // Ten run on each; the two that fail first make room for two more.
    expect(api.calls.length).toBeLessThanOrEqual(24);
    expect(await document<SharedBreaker>('breaker', 'api')).toMatchObject({
      state: 'open',
      failures: 3,
    });
    await clock.advance(1_000);
    expect(await count('parked')).toBeGreaterThan(190);
    const before = api.calls.length;
    await clock.advance(60_000);
    const probes = api.calls.slice(before);
    expect(probes.length).toBeGreaterThanOrEqual(10);
    for (const [n, atMs] of probes.slice(1).entries()) {
      expect(atMs - (probes[n] ?? 0)).toBeGreaterThan(5_000);
      expect(atMs - (probes[n] ?? 0)).toBeLessThan(5_600);
    }
    api.isDown = false;
    const backMs = clock.now() - START_MS;
    await clock.advance(120_000);
    expect(await count('succeeded')).toBe(200);
    expect(await count('dead')).toBe(0);
    // Five in the first second, and half as many again in each one after it.
    const released = api.calls.filter((atMs) => atMs > backMs);
    const probeMs = released[0] ?? 0;
    const inSecond = (n: number) =>
      released.filter((atMs) => Math.floor((atMs - probeMs) / 1_000) === n).length;
    expect(inSecond(0)).toBeLessThanOrEqual(10);
    expect(inSecond(4)).toBeGreaterThan(inSecond(1));
    expect(inSecond(4)).toBeLessThanOrEqual(5 * 1.5 ** 5 + 5);
    expect(await document<ParkedCause>('park', 'breaker:api')).toBeUndefined();
    expect(await document<SharedBreaker>('breaker', 'api')).toMatchObject({
      state: 'closed',
      failures: 0,
    });
  });

  it('is on record: that it opened, was tried, and closed', async () => {
    const { clock, store, api, jobs, start } = twoWorkers();
    api.isDown = true;
    await jobs.enqueueMany('call', Array(4).fill(null));
    await start();
    await clock.advance(600);
    api.isDown = false;
    await clock.advance(10_000);
    const acts = (await store.auditBlocks(0, 1_000))
      .flatMap((block) => recordsIn(block))
      .filter((record) => record.event === 'control' && record.id === 'breaker:api')
      .map((record) => [record.detail.act, record.detail.was, record.detail.by]);
    const by = expect.stringMatching(/^worker:w[12]-/);
    expect(acts.slice(0, 2)).toEqual([
      ['open', 'closed', by],
      ['half_open', 'open', by],
    ]);
    expect(acts.at(-1)).toEqual(['closed', 'half_open', by]);
  });

  it('that a deadline falls into: the job ends as before', async () => {
    const { clock, api, jobs, start, count } = twoWorkers();
    api.isDown = true;
    await jobs.enqueueMany('call', Array(3).fill(null));
    await start();
    await clock.advance(100);
    await jobs.enqueue('call', null, { deadline: new Date(clock.now() + 2_000) });
    await clock.advance(10_000);
    expect(await count('dead')).toBe(1);
  });

  it('may be longer than a probe: its place is kept while it runs', async () => {
    const { clock, api, jobs, start, count } = twoWorkers({ tookMs: 95_000 });
    api.isDown = true;
    await jobs.enqueueMany('call', Array(3).fill(null));
    await start();
    await clock.advance(95_100);
    api.isDown = false;
    const before = api.calls.length;
    await clock.advance(94_000);
    expect(api.calls.length - before).toBe(1);
    await clock.advance(300_000);
    expect(await count('succeeded')).toBe(3);
  });
});

describe('what is parked', () => {
  it('stays while somebody holds it, and comes back when nobody does', async () => {
    const { clock, store, api, jobs, start, count, document } = twoWorkers();
    api.isDown = true;
    await jobs.enqueueMany('call', Array(30).fill(null));
    await start();
    await clock.advance(100);
    const write = async (park: ParkedCause | undefined) => {
      const { all } = await store.controls();
      const known = all.find(({ kind }) => kind === 'park');
      await store.apply([
        {
          kind: 'control',
          of: 'park',
          key: 'breaker:api',
          expect: known?.revision ?? 0,
          document: park && JSON.stringify(park),
        },
      ]);
    };
    await write({ sinceMs: START_MS, held: { by: 'ada' } });
    api.isDown = false;
    await clock.advance(60_000);
    const before = await count('parked');
    expect(before).toBe(30);
    // Nobody may let one of them go: a job that comes now is the probe, and the breaker closes.
    await jobs.enqueue('call', null);
    await clock.advance(60_000);
    expect(await count('succeeded')).toBe(1);
    expect(await document('breaker', 'api')).toMatchObject({ state: 'closed' });
    expect(await count('parked')).toBe(before);
    expect(await document('park', 'breaker:api')).toMatchObject({ held: { by: 'ada' } });
    await write({ sinceMs: START_MS });
    await clock.advance(60_000);
    expect(await count('succeeded')).toBe(31);
  });

  it('comes back although all documents are lost, at a pace', async () => {
    const { clock, store, api, jobs, start, count } = twoWorkers();
    api.isDown = true;
    await jobs.enqueueMany('call', Array(40).fill(null));
    await start();
    await clock.advance(400);
    for (const { kind, key, revision } of (await store.controls()).all) {
      await store.apply([{ kind: 'control', of: kind, key, expect: revision }]);
    }
    api.isDown = false;
    const before = api.calls.length;
    await clock.advance(1_000);
    // Besides those that failed when it opened, which come back by their own back-off.
    expect(api.calls.length - before).toBeLessThanOrEqual(8 + before);
    await clock.advance(30_000);
    expect(await count('succeeded')).toBe(40);
  });

  it('is looked for by a worker that knows nothing of it', async () => {
    const { clock, store, api, jobs, start } = twoWorkers();
    api.isDown = true;
    await jobs.enqueueMany('call', Array(5).fill(null));
    await start();
    await clock.advance(100);
    const stopped = jobs.stop();
    await clock.advance(100);
    await stopped;
    api.isDown = false;
    const third = workBench({ call: () => 'fine' }, { store, worker: 'w3' }, clock);
    await third.jobs.start();
    await clock.advance(60_000);
    const { jobs: done } = await store.jobs({ states: ['succeeded'] }, { limit: 10 });
    expect(done).toHaveLength(5);
  });
});

describe('a store whose clock is set back by an hour', () => {
  it('while all is down: somebody goes on to try', async () => {
    const { clock, stores, api, jobs, start, count } = twoWorkers();
    api.isDown = true;
    await jobs.enqueueMany('call', Array(20).fill(null));
    await start();
    await clock.advance(20_000);
    stores.backMs = 3_600_000;
    await clock.advance(1_000);
    const before = api.calls.length;
    api.isDown = false;
    await clock.advance(10_000);
    expect(api.calls.length).toBeGreaterThan(before);
    await clock.advance(20_000);
    expect(await count('parked')).toBe(0);
  });

  it('while they come back: they go on to', async () => {
    const { clock, stores, api, jobs, start, count } = twoWorkers();
    api.isDown = true;
    await jobs.enqueueMany('call', Array(200).fill(null));
    await start();
    await clock.advance(1_400);
    api.isDown = false;
    await clock.advance(8_000);
    expect(await count('parked')).toBeGreaterThan(100);
    stores.backMs = 3_600_000;
    // Everybody has heard of it then.
    await clock.advance(1_000);
    const before = api.calls.length;
    await clock.advance(1_000);
    expect(api.calls.length).toBeGreaterThan(before);
    await clock.advance(60_000);
    expect(await count('parked')).toBe(0);
  });
});

describe('while all goes well', () => {
  it('no end costs a write, and nobody looks for what is parked', async () => {
    const { clock, store, jobs, start } = twoWorkers();
    await start();
    await jobs.enqueueMany('call', Array(100).fill(null));
    await clock.advance(10_000);
    expect((await store.controls()).revision).toBe(0);
    expect(store.calls.get('parks') ?? 0).toBe(0);
  });

  it('a single failure is reported, and forgotten with the next success', async () => {
    const { clock, api, jobs, start, document } = twoWorkers();
    await start();
    api.isDown = true;
    await jobs.enqueueMany('call', Array(2).fill(null));
    await clock.advance(100);
    expect(await document<SharedBreaker>('breaker', 'api')).toMatchObject({ failures: 2 });
    api.isDown = false;
    await clock.advance(2_000);
    expect(await document<SharedBreaker>('breaker', 'api')).toMatchObject({
      state: 'closed',
      failures: 0,
    });
  });
});
