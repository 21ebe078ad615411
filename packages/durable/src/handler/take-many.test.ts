import { currentAttempt, runInAttempt } from '@redrive/core/node';
import { describe, expect, it } from 'vitest';
import { engageKill } from '../control/kill-switches.ts';
import type { JobsOptions } from '../jobs/jobs.ts';
import { workBench } from '../testing/work-bench.ts';
import type { ManyContext, OneOfMany } from './take-many.ts';
import { final, retryAfter } from './verdict.ts';

type Numbers = readonly OneOfMany<number>[];

/** A handler for many numbers, and the calls that it gets. */
function numbers(
  answer: (jobs: Numbers, context: ManyContext) => unknown = (jobs) =>
    jobs.map(({ payload }) => payload * 2),
) {
  const calls: { readonly jobs: Numbers; readonly context: ManyContext }[] = [];
  return {
    calls,
    get sizes() {
      return calls.map(({ jobs }) => jobs.length);
    },
    // What a handler in plain JavaScript returns may be anything.
    runMany: async (jobs: Numbers, context: ManyContext) => {
      calls.push({ jobs, context });
      return answer(jobs, context) as number[];
    },
  };
}

const POLICY = { maxAttempts: 2, backoff: 'fixed', baseDelayMs: 1_000, jitter: 'none' } as const;

function bench(
  work: ReturnType<typeof numbers>,
  options: { readonly upTo?: number; readonly waitMs?: number } & JobsOptions = {},
) {
  const { upTo, waitMs, ...more } = options;
  const all = workBench(
    { double: { runMany: work.runMany, upTo, waitMs, policy: POLICY } },
    { concurrency: 100, ...more },
  );
  const enqueue = async (count: number, tenant = '') => {
    const payloads = Array.from({ length: count }, (_, n) => n);
    return (await all.jobs.enqueueMany('double', payloads, { tenant })).map(({ id }) => id);
  };
  return { ...all, enqueue };
}

describe('a handler that takes many', () => {
  it('gets as many jobs as it asks for in one call, and each has its own result', async () => {
    const work = numbers();
    const { jobs, clock, enqueue, look } = bench(work, { upTo: 40 });
    const ids = await enqueue(100);
    await jobs.start();
    await clock.advance(100);
    expect(work.sizes.toSorted((a, b) => b - a)).toEqual([40, 40, 20]);
    const done = await Promise.all(ids.map(look));
    expect(done.map(({ result }) => result)).toEqual(ids.map((_, n) => String(n * 2)));
    expect(done.every(({ state, revision }) => state === 'succeeded' && revision === 3)).toBe(true);
    expect(await jobs.wait(ids[3] ?? '')).toBe(6);
  });

  it('a call waits for others only as long as it says, and at most for those that run at once', async () => {
    const work = numbers();
    const { jobs, clock, enqueue } = bench(work, { upTo: 100, waitMs: 500, concurrency: 5 });
    await jobs.start();
    await enqueue(5);
    await clock.advance(10);
    expect(work.sizes).toEqual([5]);
    await enqueue(2);
    await clock.advance(490);
    expect(work.sizes).toEqual([5]);
    await clock.advance(20);
    expect(work.sizes).toEqual([5, 2]);
  });

  it('a call has jobs of one tenant', async () => {
    const work = numbers();
    const { jobs, clock, enqueue } = bench(work);
    await enqueue(3, 'acme');
    await enqueue(4, 'zeta');
    await jobs.start();
    await clock.advance(100);
    const tenants = work.calls.map(({ jobs: all, context }) => [
      context.tenant,
      context.handler,
      all.length,
      all.every(({ context: own }) => own.tenant === context.tenant),
    ]);
    expect(tenants.toSorted()).toEqual([
      ['acme', 'double', 3, true],
      ['zeta', 'double', 4, true],
    ]);
  });

  it('errors and verdicts in the list are those of their jobs alone', async () => {
    const answers = [
      'done',
      new Error('no page'),
      final('no such file'),
      retryAfter(5_000),
      undefined,
    ];
    const work = numbers(() => answers);
    const { jobs, clock, enqueue, look } = bench(work);
    const ids = await enqueue(5);
    await jobs.start();
    await clock.advance(100);
    expect(await Promise.all(ids.map(look))).toMatchObject([
      { state: 'succeeded', result: '"done"' },
      { state: 'scheduled', account: { entries: { failed: 1 } } },
      { state: 'dead', reason: 'final_error' },
      { state: 'scheduled', account: { entries: { rate_limited: 1 } } },
      { state: 'succeeded', result: undefined },
    ]);
  });

  it('what it throws fails all of them, each by its own account', async () => {
    let round = 0;
    const work = numbers((all) => {
      round += 1;
      if (round < 3) throw new Error(`down ${round}`);
      return all.map(() => 'late');
    });
    const { jobs, clock, enqueue, look } = bench(work);
    const ids = await enqueue(3);
    await jobs.start();
    await clock.advance(5_000);
    const dead = await Promise.all(ids.map(look));
    expect(dead).toMatchObject(ids.map(() => ({ state: 'dead', reason: 'max_attempts_exceeded' })));
    expect(dead[0]?.attempts.kept.map(({ error }) => error?.message)).toEqual(['down 1', 'down 2']);
  });

  it.each([
    ['a list that is too short', () => [1, 2], [undefined, undefined, 'no result for job 3']],
    [
      'a gap',
      () => Object.assign([], { length: 3, 0: 1, 2: 1 }),
      [undefined, 'no result for job 2', undefined],
    ],
    ['no list', () => ({ 0: 1 }), Array(3).fill('must return a list')],
    ['more results than jobs', () => [1, 2, 3, 4], Array(3).fill('4 results for 3 jobs')],
  ])('a missing result is an error of its job: %s', async (_, answer, expected) => {
    const work = numbers(answer);
    const { jobs, clock, enqueue, look } = bench(work);
    const ids = await enqueue(3);
    await jobs.start();
    await clock.advance(100);
    for (const [index, id] of ids.entries()) {
      const { state, attempts } = await look(id);
      const text = expected[index];
      expect(state).toBe(text === undefined ? 'succeeded' : 'scheduled');
      if (text !== undefined) expect(attempts.kept[0]?.error?.message).toContain(text);
    }
  });

  it('each job has its own signal, and that of the call aborts with the last of them', async () => {
    let finish = () => {};
    const work = numbers(
      (all) => new Promise((resolve) => (finish = () => resolve(all.map(() => 'done')))),
    );
    const { jobs, clock, enqueue, look } = bench(work);
    const [first = '', second = ''] = await enqueue(2);
    await jobs.start();
    await clock.advance(100);
    const [call] = work.calls;
    const signals = call?.jobs.map(({ context }) => context.signal) ?? [];
    const all = call?.context.signal;
    await jobs.cancel(first);
    await clock.advance(10);
    expect([...signals.map(({ aborted }) => aborted), all?.aborted]).toEqual([true, false, false]);
    await clock.advance(2_100);
    // Its handler goes on, and the worker waits for it no longer.
    expect(await look(first)).toMatchObject({ state: 'cancelled' });
    await jobs.cancel(second);
    await clock.advance(10);
    expect(all?.aborted).toBe(true);
    finish();
    await clock.advance(10);
  });

  it('a job that is cancelled before the call is not in it', async () => {
    const work = numbers();
    const { jobs, clock, enqueue, look } = bench(work, { waitMs: 1_000 });
    const [first = '', second = ''] = await enqueue(2);
    await jobs.start();
    await clock.advance(100);
    await jobs.cancel(first);
    await clock.advance(1_000);
    expect(work.calls.map(({ jobs: all }) => all.map(({ context }) => context.jobId))).toEqual([
      [second],
    ]);
    expect(await look(first)).toMatchObject({ state: 'cancelled' });
  });

  it('a kill switch that interrupts gives back the jobs that have not succeeded', async () => {
    const work = numbers(
      (all) =>
        new Promise((_resolve, reject) => {
          const [one] = all;
          one?.context.signal.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    );
    const { jobs, clock, store, enqueue, look } = bench(work);
    const [id = ''] = await enqueue(2);
    await jobs.start();
    await clock.advance(100);
    await engageKill(store, { scope: 'all', mode: 'interrupt', actor: { name: 'test' } });
    await clock.advance(5_000);
    expect(await look(id)).toMatchObject({
      state: 'ready',
      account: { entries: { interrupted: 1 } },
    });
  });

  it('a job that has lost a lease gets a call of its own', async () => {
    const work = numbers();
    const { jobs, clock, store, enqueue } = bench(work);
    const [lost = ''] = await enqueue(1);
    const lane = { handler: 'double', limit: 1, policyHash: 'p', limitPerKey: 1 };
    await store.apply([
      { kind: 'claim', worker: 'crashed', leaseMs: 1_000, lanes: [lane], limit: 1, ahead: 0 },
    ]);
    await clock.advance(2_000);
    await enqueue(3);
    await jobs.start();
    await clock.advance(20_000);
    const ids = work.calls.map(({ jobs: all }) => all.map(({ context }) => context.jobId));
    expect(ids).toContainEqual([lost]);
    expect(work.sizes.toSorted()).toEqual([1, 3]);
  });

  it('a call is part of no single attempt', async () => {
    const seen: unknown[] = [];
    const work = numbers((all) => {
      seen.push(currentAttempt());
      return all.map(({ context }) =>
        runInAttempt(context.parent, () => currentAttempt()?.attempt),
      );
    });
    const { jobs, clock, enqueue, look } = bench(work, { upTo: 2 });
    const [id = ''] = await enqueue(2);
    await jobs.start();
    await clock.advance(100);
    expect(seen).toEqual([undefined]);
    expect(await look(id)).toMatchObject({ result: '1' });
  });

  it('its options are checked with all others', () => {
    const wrong = { runMany: () => [], upTo: 0, waitMs: 60_001 };
    expect(() => workBench({ wrong })).toThrow(/upTo.*\n?.*waitMs/s);
    const both = { run: () => 1, runMany: () => [] };
    expect(() => workBench({ both } as never)).toThrow(/run/);
  });
});
