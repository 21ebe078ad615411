import { definePolicy, isRetryError } from '@redrive/core';
import { engageKill, releaseKill } from '@redrive/durable/control';
import { testCollection } from '@redrive/testkit/conformance/document-source';
import { ladder } from '@redrive/testkit/ladder';
import { describe, expect, it } from 'vitest';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const POLICY = {
  id: 'mail',
  maxAttempts: 5,
  baseDelayMs: MINUTE,
  maxDelayMs: HOUR,
  backoff: 'exponential',
  jitter: 'full',
} as const;

/** Events, jobs, calls and sweeps, with failures and crashes on two processes. */
async function everything(seed: number): Promise<readonly string[]> {
  const archives = {
    name: 'archives',
    collection: testCollection('archives'),
    policy: definePolicy({ ...POLICY, id: 'documents.archives' }),
    thresholdMs: 24 * HOUR,
    minimumAgeMs: 0,
    dependency: '',
    event: { type: 'Ingested', bus: 'memory', destination: 'orders', data: { id: '$_id' } },
  };
  const run = ladder({
    seed,
    processes: 2,
    handlers: {
      mail: { run: async () => 'sent', policy: POLICY, dependency: 'smtp' },
      order: { run: async () => null, policy: POLICY },
    },
    sources: [{ name: 'orders', handler: 'order' }],
    sweeps: [archives],
    failures: [
      { at: 'mail', error: 'retryable', share: 0.4 },
      { at: 'mail', error: 'rate_limited', retryAfterMs: 90_000, share: 0.2 },
      { at: 'order', crash: true, share: 0.1 },
      { at: 'documents.settle', crash: true, times: 1 },
      { at: 'bus.publish', error: 'retryable', times: 2 },
      { at: 'prices', error: 'retryable', upToAttempt: 2 },
    ],
  });
  run.documents.put(archives.collection, { _id: 'a-1', status: 'pending' });
  await run.start();
  const price = run.retry(() => 42, { ...POLICY, baseDelayMs: 1_000 }, { operation: 'prices' });
  for (let n = 0; n < 20; n += 1) {
    await run.jobs.enqueue('mail', n);
    const body = Buffer.from(JSON.stringify({ n }));
    await run.bus.publish([{ destination: 'orders', body, id: `m-${n}` }]);
    await run.advance(MINUTE);
  }
  await run.advance(HOUR);
  expect(await price).toBe(42);
  await run.stop();
  const { groups } = await run.store.counts();
  const states = new Set(groups.map(({ state }) => state));
  expect([...states].filter((state) => state !== 'succeeded' && state !== 'dead')).toEqual([]);
  expect(groups.find(({ handler }) => handler === 'order')?.count).toBe(21);
  return run.trace();
}

describe('ladder', () => {
  it('gives the same trace for the same seed, and another one for another', async () => {
    const [one, again, other] = [await everything(1), await everything(1), await everything(2)];
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
    for (const what of ['p1 crashes', 'prices#1 attempt 3 succeed', 'mail#1 claim', 'order#21']) {
      expect(one.some((line) => line.includes(what))).toBe(true);
    }
  });

  it('shows an outage, its attempts and the recovery', async () => {
    const run = ladder({
      handlers: { mail: { run: async () => null, policy: { ...POLICY, jitter: 'none' } } },
      failures: [{ at: 'mail', error: 'retryable', untilMs: 2 * MINUTE }],
    });
    await run.start();
    const { id } = await run.jobs.enqueue('mail', null);
    await run.advance(10 * MINUTE);
    expect((await run.store.job(id))?.state).toBe('succeeded');
    const shown = (await run.trace()).filter((line) => line.includes(' settle '));
    expect(shown.map((line) => line.replace(/ by p1-\w+$/, ''))).toEqual([
      '+0.000 mail#1 settle leased→scheduled attempt 1.1 retryable_error in 60000 ms: mail fails with 503, as injected',
      '+60.000 mail#1 settle leased→scheduled attempt 1.2 retryable_error in 120000 ms: mail fails with 503, as injected',
      '+180.000 mail#1 settle leased→succeeded succeeded',
    ]);
    await run.stop();
    expect(run.clock.pendingTimers).toBe(0);
  });

  it('honours a hint, and takes a final error for the end', async () => {
    const startedMs: number[] = [];
    const run = ladder({
      handlers: {
        mail: { run: async () => void startedMs.push(run.clock.monotonic()), policy: POLICY },
        bad: { run: async () => null, policy: POLICY },
      },
      failures: [
        { at: 'mail', error: 'rate_limited', retryAfterMs: 90_000, times: 1 },
        { at: 'bad', error: 'final' },
      ],
    });
    await run.start();
    await run.jobs.enqueue('mail', null);
    const { id } = await run.jobs.enqueue('bad', null);
    await run.advance(HOUR);
    expect(startedMs).toHaveLength(1);
    expect(startedMs[0]).toBeGreaterThanOrEqual(90_000);
    expect((await run.store.job(id))?.reason).toBe('final_error');
    await run.stop();
  });

  it('rescues the jobs of a process that crashes after the effect', async () => {
    const effects: number[] = [];
    const run = ladder({
      handlers: { mail: { run: async () => effects.push(1), policy: POLICY } },
      failures: [{ at: 'mail', when: 'after', crash: true, times: 1 }],
    });
    await run.start();
    const { id } = await run.jobs.enqueue('mail', null);
    await run.advance(HOUR);
    const job = await run.store.job(id);
    expect([job?.state, effects.length, job?.account.claims]).toEqual(['succeeded', 2, 2]);
    await run.stop();
  });

  it('delivers a message again when its consumer crashes, and stores it once', async () => {
    const run = ladder({
      handlers: { order: async () => null },
      sources: [{ name: 'orders', handler: 'order' }],
      failures: [{ at: 'store.apply', when: 'after', crash: true, times: 1 }],
    });
    await run.start();
    await run.bus.publish([{ destination: 'orders', body: Buffer.from('{}'), id: 'm-1' }]);
    await run.advance(HOUR);
    const { jobs } = await run.store.jobs({ handler: 'order' }, { limit: 10 });
    expect(jobs.map(({ state }) => state)).toEqual(['succeeded']);
    expect((await run.bus.check({ name: 'orders' })).waiting).toBe(0);
    await run.stop();
  });

  it('lasts longer than the attempt may, and ends by its timeout', async () => {
    const run = ladder({ failures: [{ at: 'prices', slowMs: 5_000, times: 1 }] });
    const policy = {
      ...POLICY,
      attemptTimeoutMs: 1_000,
      baseDelayMs: 100,
      jitter: 'none',
    } as const;
    const price = run.retry(() => run.clock.monotonic(), policy, { operation: 'prices' });
    await run.advance(10_000);
    expect(await price).toBe(1_100);
  });

  it.each(['crash', 'error'])(
    'starts a process again that meets a failure at its start: %s',
    async (how) => {
      const failure = how === 'crash' ? { crash: true } : { error: 'retryable' as const };
      const run = ladder({
        handlers: { mail: async () => null },
        failures: [{ at: 'store.migrate', ...failure, times: 2 }],
      });
      await run.start();
      const { id } = await run.jobs.enqueue('mail', null);
      await run.advance(5_000);
      expect((await run.store.job(id))?.state).toBe('succeeded');
      const starts = (await run.trace()).filter((line) => line.endsWith('p1 starts'));
      expect(starts).toHaveLength(3);
      await run.stop();
      expect(run.clock.pendingTimers).toBe(0);
    },
  );

  it('obeys a kill switch in its store', async () => {
    const run = ladder({ handlers: { mail: async () => null } });
    await run.start();
    const all = { scope: 'all', actor: { name: 'test' } } as const;
    await engageKill(run.store, { ...all, mode: 'finish' });
    const { id } = await run.jobs.enqueue('mail', null);
    await run.advance(HOUR);
    expect((await run.store.job(id))?.state).toBe('ready');
    await releaseKill(run.store, all);
    await run.advance(MINUTE);
    expect((await run.store.job(id))?.state).toBe('succeeded');
    await run.stop();
  });

  it('takes a failure back, and crashes a process on demand', async () => {
    const run = ladder({ handlers: { mail: async () => null }, restartAfterMs: Infinity });
    await run.start();
    const repair = run.fail({ at: 'prices', error: 'retryable' });
    const once = { maxAttempts: 1 };
    const failed = run.retry(() => 1, once, { operation: 'prices' }).catch((error) => error);
    await run.advance(0);
    expect(isRetryError(await failed, 'max_attempts_exceeded')).toBe(true);
    repair();
    expect(await run.retry(() => 1, once, { operation: 'prices' })).toBe(1);
    run.crash('p1');
    const { id } = await run.jobs.enqueue('mail', null);
    await run.advance(HOUR);
    expect((await run.store.job(id))?.state).toBe('ready');
    await run.stop();
    expect(run.clock.pendingTimers).toBe(0);
  });

  it('names every problem of a failure at once', () => {
    const wrong = { at: 'mail', error: 'nope', share: 2, tmies: 3 };
    expect(() => ladder({ failures: [wrong as never] })).toThrow(/share.*[\s\S]*error/);
    expect(() => ladder({ failures: [{ at: 'mail' }] })).toThrow(/does nothing/);
    expect(() => ladder({ processes: 99 })).toThrow(/processes/);
    expect(() => ladder().crash('p9')).toThrow(/No process is called p9; known are caller/);
  });
});
