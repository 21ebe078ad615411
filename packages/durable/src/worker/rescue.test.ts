import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import type { Store } from '../store/store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';

const LEASE = 30_000;

/** A store with a job that another worker claimed before it went silent. */
async function abandoned(handler = 'run') {
  const clock = virtualClock({ startMs: START_MS });
  const store = memoryStore({ clock });
  const { jobs } = workBench({ [handler]: () => {} }, { store, worker: 'gone' }, clock);
  const { id } = await jobs.enqueue(handler, null);
  await claimBy(store, handler);
  return { clock, store, id };
}

async function claimBy(store: Store, handler: string, alone = true): Promise<void> {
  const lane = { handler, limit: 1, policyHash: 'hash', limitPerKey: 1 };
  await store.registerPolicies([
    {
      hash: 'hash',
      id: 'theirs',
      policy: {
        enabled: true,
        maxAttempts: 1,
        backoff: 'fixed',
        baseDelayMs: 1,
        maxDelayMs: 1,
        multiplier: 1,
        immediateFirstRetry: false,
        jitter: 'none',
        jitterAmount: 0,
        maxFreeWaits: 0,
        maxFreeWaitMs: 0,
      },
    },
  ]);
  await store.apply([
    { kind: 'claim', worker: 'gone', leaseMs: LEASE, lanes: [lane], limit: 1, ahead: 0, alone },
  ]);
}

describe('the rescue of expired leases', () => {
  it('sends the job again at once, within lease and sweep', async () => {
    const { clock, store, id } = await abandoned();
    const { jobs, look, noticesOf } = workBench({ run: () => 'done' }, { store }, clock);
    await jobs.start();
    await clock.advance(LEASE - 1);
    expect((await look(id)).state).toBe('leased');
    await clock.advance(1_001);
    const job = await look(id);
    expect(job).toMatchObject({
      state: 'succeeded',
      account: { claims: 2, entries: { lease_lost: 1, succeeded: 1 } },
    });
    expect(job.attempts.kept[0]).toMatchObject({
      entry: 'lease_lost',
      reason: 'lease_lost',
      worker: 'gone',
      startedAtMs: START_MS,
      durationMs: LEASE,
      error: { type: 'LeaseLost' },
    });
    expect(noticesOf('rescued')).toEqual([
      { kind: 'rescued', jobId: id, handler: 'run', worker: 'gone', losses: 1, alone: true },
    ]);
  });

  it('whose answer comes late takes no lease away that was given since', async () => {
    const { clock, store, id } = await abandoned();
    const { apply } = store;
    Object.assign(store, {
      apply: async (commands: Parameters<typeof apply>[0]) => {
        const results = await apply(commands);
        const isRescue = commands.some(
          (command) => command.kind === 'settle' && command.settlement.by === 'expired',
        );
        if (isRescue) await new Promise<void>((resolve) => clock.setTimer(100, resolve));
        return results;
      },
    });
    const work = () => new Promise<void>((resolve) => clock.setTimer(1_000, resolve));
    const { jobs, look, noticesOf } = workBench({ run: work }, { store }, clock);
    await jobs.start();
    await clock.advance(LEASE + 5_000);
    expect(noticesOf('rescued')).toHaveLength(1);
    expect(noticesOf('lease_lost')).toEqual([]);
    expect(await look(id)).toMatchObject({ state: 'succeeded', account: { claims: 2 } });
  });

  it('of a job that loses lease after lease backs off, and dies at its limit', async () => {
    const { clock, store, id } = await abandoned();
    // It rescues what it would not claim itself.
    const { jobs, look } = workBench(
      { run: { run: () => {}, policy: { maxAttempts: 3, baseDelayMs: 10_000, jitter: 'none' } } },
      { store, queues: ['another'] },
      clock,
    );
    await jobs.start();
    await clock.advance(LEASE + 1_000);
    expect(await look(id)).toMatchObject({ state: 'ready', retryCount: 1 });
    await claimBy(store, 'run');
    await clock.advance(LEASE + 1_000);
    const second = await look(id);
    expect(second).toMatchObject({ state: 'scheduled', retryCount: 2, errorClass: 'retryable' });
    expect(second.attempts.kept[1]).toMatchObject({ delayMs: 20_000 });
    await clock.advance(20_000);
    await claimBy(store, 'run');
    await clock.advance(LEASE + 1_000);
    expect(await look(id)).toMatchObject({
      state: 'dead',
      reason: 'max_attempts_exceeded',
      account: { entries: { lease_lost: 3 } },
    });
  });

  it('gives up what has no attempt left', async () => {
    const { clock, store, id } = await abandoned();
    const { jobs, look } = workBench(
      { run: { run: () => 'done', policy: { maxAttempts: 1 } } },
      { store },
      clock,
    );
    await clock.advance(LEASE);
    await jobs.start();
    await clock.advance(0);
    expect(await look(id)).toMatchObject({ state: 'dead', reason: 'max_attempts_exceeded' });
    expect(await jobs.idle()).toEqual({ died: 1, succeeded: 0, left: [] });
  });

  it('asks a person where the handler says so', async () => {
    const { clock, store, id } = await abandoned();
    const { jobs, look } = workBench(
      { run: { run: () => 'done', onUnknown: 'dead_letter' } },
      { store },
      clock,
    );
    await clock.advance(LEASE);
    await jobs.start();
    await clock.advance(0);
    expect(await look(id)).toMatchObject({ state: 'dead', reason: 'effect_unknown' });
  });

  it.each([{ idempotent: true }, { probe: async () => 'none' as const }])(
    'does not ask where an unknown effect does no harm: %o',
    async (harmless) => {
      const { clock, store, id } = await abandoned();
      const { jobs, look } = workBench(
        { run: { run: () => 'done', onUnknown: 'dead_letter', ...harmless } },
        { store },
        clock,
      );
      await clock.advance(LEASE);
      await jobs.start();
      await clock.advance(10);
      expect((await look(id)).state).toBe('succeeded');
    },
  );

  it('of a job whose handler nobody here knows goes by the stored policy, when those who know it do not come', async () => {
    const { clock, store, id } = await abandoned('theirs');
    const { jobs, look } = workBench({ run: () => 'done' }, { store }, clock);
    await jobs.start();
    await clock.advance(LEASE + 55_000);
    expect((await look(id)).state).toBe('leased');
    await clock.advance(15_000);
    // Their policy allows one attempt.
    expect(await look(id)).toMatchObject({ state: 'dead', reason: 'max_attempts_exceeded' });
  });

  it('is not held up by any number of leases whose handlers nobody here knows', async () => {
    const { clock, store, id } = await abandoned();
    const { jobs: theirs } = workBench({ theirs: () => {} }, { store, worker: 'gone' }, clock);
    await theirs.enqueueMany('theirs', Array(150).fill(null));
    for (let n = 0; n < 150; n++) await claimBy(store, 'theirs');
    const { jobs, look } = workBench({ run: () => 'done' }, { store }, clock);
    await store.heartbeat([{ id, token: 1 }], LEASE + 1);
    await jobs.start();
    await clock.advance(LEASE + 6_000);
    expect((await look(id)).state).toBe('succeeded');
  });

  it('that is refused altogether is tried again with the next sweep, and not before', async () => {
    const { clock, store } = await abandoned();
    const { jobs: theirs } = workBench({ run: () => {} }, { store, worker: 'gone' }, clock);
    await theirs.enqueueMany('run', Array(120).fill(null));
    for (let n = 0; n < 120; n++) await claimBy(store, 'run');
    const { apply } = store;
    let rescues = 0;
    Object.assign(store, {
      apply: async (commands: Parameters<typeof apply>[0]) => {
        const isRescue = commands.some(
          (command) => command.kind === 'settle' && command.settlement.by === 'expired',
        );
        if (isRescue) rescues += 1;
        // The first ones alone: a worker that asks again at once comes to an end, too.
        if (!isRescue || rescues > 5) return apply(commands);
        return commands.map(() => ({ ok: false, refusal: 'stale_token' }));
      },
    });
    const { jobs } = workBench({ run: () => {} }, { store, sweepMs: 5_000 }, clock);
    await clock.advance(LEASE);
    await jobs.start();
    await clock.advance(1_000);
    expect(rescues).toBe(1);
    await clock.advance(5_000);
    expect(rescues).toBe(2);
  });

  it('by two workers at once happens once', async () => {
    const { clock, store, id } = await abandoned();
    const [one, two] = ['w1', 'w2'].map((worker) =>
      workBench({ run: () => 'done' }, { store, worker }, clock),
    );
    await clock.advance(LEASE);
    await one?.jobs.start();
    await two?.jobs.start();
    await clock.advance(100);
    const rescued = [one, two].flatMap((bench) => bench?.noticesOf('rescued') ?? []);
    expect(rescued).toHaveLength(1);
    expect((await store.job(id))?.account.entries).toMatchObject({ lease_lost: 1 });
  });
});

describe('a probe', () => {
  it.each([
    ['applied', 0],
    ['none', 1],
  ] as const)('that says %s: the handler runs %i times', async (answer, runs) => {
    const { clock, store, id } = await abandoned();
    let calls = 0;
    const probed: unknown[] = [];
    const { jobs, look } = workBench(
      {
        run: {
          run: () => {
            calls += 1;
          },
          probe: async (payload: unknown) => {
            probed.push(payload);
            return answer;
          },
        },
      },
      { store },
      clock,
    );
    await clock.advance(LEASE);
    await jobs.start();
    await clock.advance(10);
    expect((await look(id)).state).toBe('succeeded');
    expect([calls, probed]).toEqual([runs, [null]]);
  });

  it('is not asked before a first attempt, nor after a failure without an effect', async () => {
    let probes = 0;
    let calls = 0;
    const { jobs, clock } = workBench({
      run: {
        run: () => {
          calls += 1;
          if (calls > 1) return;
          throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
        },
        probe: async () => {
          probes += 1;
          return 'applied';
        },
        policy: {
          baseDelayMs: 10,
          jitter: 'none',
          classify: () => ({ errorClass: 'retryable', effect: 'none' }),
        },
      },
    });
    await jobs.start();
    await jobs.enqueue('run', null);
    await clock.advance(1_000);
    expect([calls, probes]).toEqual([2, 0]);
  });

  it('that fails is a failed attempt', async () => {
    const { clock, store, id } = await abandoned();
    const { jobs, look } = workBench(
      { run: { run: () => 'done', probe: () => Promise.reject(new Error('who knows')) } },
      { store },
      clock,
    );
    await clock.advance(LEASE);
    await jobs.start();
    await clock.advance(0);
    expect((await look(id)).attempts.kept[1]).toMatchObject({
      entry: 'failed',
      error: { message: 'who knows' },
    });
  });
});
