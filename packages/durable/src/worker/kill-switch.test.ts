import { isRedriveError } from '@redrive/core';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { pauseWork, resumeWork } from '../control/kill-switches.ts';
import { updateControl } from '../control/update-control.ts';
import type { JobContext } from '../handler/job-context.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { FullStore } from '../store/full-store.ts';
import { disengage, engage } from '../testing/control-bench.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';

const SCOPES = ['all', 'queue:mail', 'operation:run', 'tenant:acme'] as const;
const PLACE = { queue: 'mail', tenant: 'acme' } as const;

/** A handler that runs until it is told, one at a time. */
function slowBench(options: Parameters<typeof workBench>[1] = {}) {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
  const store = faultyStore(memoryStore({ clock }));
  const started: string[] = [];
  const reasons: unknown[] = [];
  const ends: (() => void)[] = [];
  const run = (name: string, { signal }: JobContext) => {
    started.push(name);
    return new Promise<void>((resolve, reject) => {
      ends.push(resolve);
      signal.addEventListener('abort', () => {
        reasons.push(signal.reason);
        reject(signal.reason);
      });
    });
  };
  const bench = workBench(
    { run, other: (name: string) => void started.push(name) },
    { concurrency: 1, store, ...options },
    clock,
  );
  return { ...bench, store, started, reasons, ends };
}

describe('a kill switch', () => {
  it.each(SCOPES)('of %s stops what it names, until it is released', async (key) => {
    const { jobs, store, clock, started, look, ends } = slowBench({ concurrency: 5 });
    await engage(store, key);
    await jobs.start();
    const stopped = await jobs.enqueue('run', 'stopped', PLACE);
    await jobs.enqueue('other', 'elsewhere', { queue: 'rest', tenant: 'other' });
    await clock.advance(60_000);
    expect(started).toEqual(key === 'all' ? [] : ['elsewhere']);
    expect(await look(stopped.id)).toMatchObject({ state: 'ready', account: { claims: 0 } });
    await disengage(store, key);
    await clock.advance(100);
    expect(started).toContain('stopped');
    ends[0]?.();
  });

  it('lets finish what runs, and starts nothing after it', async () => {
    const { jobs, store, clock, started, look, ends } = slowBench();
    await jobs.start();
    const first = await jobs.enqueue('run', 'first', PLACE);
    const second = await jobs.enqueue('run', 'second', PLACE);
    await clock.advance(10);
    await engage(store, 'all');
    await clock.advance(5_000);
    ends[0]?.();
    await clock.advance(5_000);
    expect(started).toEqual(['first']);
    expect(await look(first.id)).toMatchObject({ state: 'succeeded' });
    expect(await look(second.id)).toMatchObject({ state: 'ready', account: { claims: 0 } });
  });

  it('gives back what it finds claimed and not started, uncharged', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const started: number[] = [];
    const run = (n: number) => {
      started.push(n);
      return n < 500 ? undefined : promise;
    };
    // Quick jobs are claimed ahead of time.
    const { jobs, store, clock, stop } = workBench({ run }, { concurrency: 1 });
    await jobs.start();
    for (let n = 0; n < 500; n += 100) {
      const numbers = Array.from({ length: 100 }, (_, index) => n + index);
      await jobs.enqueueMany('run', numbers);
      await clock.advance(5);
    }
    await jobs.enqueueMany('run', [500, 501, 502, 503]);
    await clock.advance(5);
    const leased = async () => (await store.jobs({ states: ['leased'] }, { limit: 100 })).jobs;
    expect((await leased()).length).toBeGreaterThan(1);
    await engage(store, 'all');
    await clock.advance(10);
    expect(await leased()).toHaveLength(1);
    const { jobs: ready } = await store.jobs({ states: ['ready'] }, { limit: 100 });
    expect(ready).toHaveLength(3);
    for (const { account } of ready) expect(account.entries.failed).toBe(0);
    await clock.advance(10_000);
    expect(started.at(-1)).toBe(500);
    resolve();
    await stop();
  });

  it('reaches a claim that was under way when it was engaged', async () => {
    const { jobs, store, clock, started, look } = slowBench();
    const { promise, resolve } = Promise.withResolvers<void>();
    const { apply } = store;
    await jobs.start();
    await clock.advance(10);
    store.apply = (async (commands: Parameters<FullStore['apply']>[0]) => {
      const results = await apply(commands);
      if (commands.some(({ kind }) => kind === 'claim')) await promise;
      return results;
    }) as FullStore['apply']; // The results are those of the same commands.
    const job = await jobs.enqueue('run', 'a');
    await clock.advance(10);
    expect(await look(job.id)).toMatchObject({ state: 'leased' });
    await engage(store, 'operation:run');
    await clock.advance(100);
    store.apply = apply;
    resolve();
    await clock.advance(100);
    expect(started).toEqual([]);
    expect(await look(job.id)).toMatchObject({
      state: 'ready',
      account: { claims: 1, entries: { interrupted: 1 } },
    });
  });

  it('that interrupts aborts what runs, and gives it back uncharged', async () => {
    const { jobs, store, clock, look, reasons, started, noticesOf } = slowBench();
    await jobs.start();
    const job = await jobs.enqueue('run', 'a', PLACE);
    await clock.advance(10);
    await engage(store, 'tenant:acme', 'interrupt');
    await clock.advance(20);
    expect(isRedriveError(reasons[0], 'kill_switch')).toBe(true);
    expect(await look(job.id)).toMatchObject({
      state: 'ready',
      reason: 'interrupted',
      account: { entries: { interrupted: 1, failed: 0 } },
    });
    expect(noticesOf('control_seen')).toMatchObject([
      { control: 'kill', name: 'tenant:acme', by: 'ann' },
    ]);
    await clock.advance(60_000);
    expect(started).toEqual(['a']);
    await disengage(store, 'tenant:acme');
    await clock.advance(10);
    expect(started).toEqual(['a', 'a']);
    expect(noticesOf('control_gone')).toHaveLength(1);
  });

  it('does not wait for a handler that does not listen, unless a person is to be asked', async () => {
    const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
    const deaf = () => new Promise<void>(() => {});
    const { jobs, store, look } = workBench(
      { deaf, careful: { run: deaf, onUnknown: 'dead_letter' } },
      {},
      clock,
    );
    await jobs.start();
    const [one, two] = [await jobs.enqueue('deaf', null), await jobs.enqueue('careful', null)];
    await clock.advance(10);
    await engage(store, 'all', 'interrupt');
    await clock.advance(2_100);
    expect(await look(one.id)).toMatchObject({ state: 'ready', reason: 'interrupted' });
    expect(await look(two.id)).toMatchObject({ state: 'leased' });
  });

  it.each([
    ['its time-out', { attemptTimeoutMs: 60_000 }, {}, 60_000],
    ['its deadline', {}, { deadline: new Date(START_MS + 30_000) }, 30_000],
    ['the grace, where its time is up before', { attemptTimeoutMs: 500 }, {}, 2_000],
  ])('waits for such a handler until %s', async (_, policy, spec, untilMs) => {
    const { jobs, store, clock, look } = workBench({
      careful: {
        run: () => new Promise<void>(() => {}),
        onUnknown: 'dead_letter',
        policy: { maxAttempts: 3, ...policy },
      },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('careful', null, spec);
    await clock.advance(10);
    await engage(store, 'all', 'interrupt');
    await clock.advance(untilMs - 100);
    expect(await look(id)).toMatchObject({ state: 'leased' });
    await clock.advance(2_200);
    const { state, reason, attempts } = await look(id);
    expect([state, reason]).toEqual(['dead', 'effect_unknown']);
    expect(attempts.kept.at(-1)?.error?.message).toMatch(
      /took longer|deadline of the job has passed/,
    );
  });

  it('counts what succeeds all the same', async () => {
    const { jobs, store, clock, look } = workBench({
      stubborn: ({ ms }: { ms: number }, { signal }: JobContext) =>
        new Promise<string>((resolve) => {
          signal.addEventListener('abort', () => resolve(`done after ${ms}`));
        }),
    });
    await jobs.start();
    const job = await jobs.enqueue('stubborn', { ms: 1 });
    await clock.advance(10);
    await engage(store, 'operation:stubborn', 'interrupt');
    await clock.advance(100);
    expect(await look(job.id)).toMatchObject({ state: 'succeeded' });
  });
});

describe('a pause', () => {
  it('gives back what waits here, and does not start it until it is resumed', async () => {
    const { jobs, store, clock, started, look, ends } = slowBench();
    await jobs.start();
    await jobs.enqueue('run', 'first');
    const second = await jobs.enqueue('run', 'second');
    await clock.advance(10);
    const pause = { scope: 'handler', name: 'run', actor: { name: 'ann' } } as const;
    await pauseWork(store, pause);
    await clock.advance(10);
    ends[0]?.();
    await clock.advance(10_000);
    expect(started).toEqual(['first']);
    expect(await look(second.id)).toMatchObject({ state: 'ready' });
    await resumeWork(store, pause);
    await clock.advance(10);
    expect(started).toEqual(['first', 'second']);
  });
});

describe('a worker that cannot see the controls', () => {
  const BLIND = { calls: ['controls', 'controlRevision', 'pulse'], when: 'before' } as const;

  it('claims and starts nothing after a second, lets finish what runs, and goes on by itself', async () => {
    const { jobs, store, clock, started, ends, look, noticesOf } = slowBench();
    await jobs.start();
    const first = await jobs.enqueue('run', 'first');
    await clock.advance(10);
    store.fault = BLIND;
    await clock.advance(1_100);
    await jobs.enqueue('run', 'second');
    ends[0]?.();
    await clock.advance(20_000);
    expect(started).toEqual(['first']);
    expect(await look(first.id)).toMatchObject({ state: 'succeeded' });
    expect(noticesOf('controls_unconfirmed')).toHaveLength(1);
    store.fault = undefined;
    await clock.advance(11_000);
    expect(started).toEqual(['first', 'second']);
    expect(noticesOf('controls_confirmed')).toHaveLength(1);
  });

  it('starts nothing at all when it never could', async () => {
    const { jobs, store, clock, started } = slowBench();
    store.fault = BLIND;
    await jobs.start();
    await jobs.enqueue('run', 'first');
    await clock.advance(20_000);
    expect(started).toEqual([]);
    expect(store.calls.get('apply') ?? 0).toBeLessThan(3);
    store.fault = undefined;
    await clock.advance(11_000);
    expect(started).toEqual(['first']);
  });

  it('does not start a probe that waited for its place meanwhile', async () => {
    const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
    const store = faultyStore(memoryStore({ clock }));
    let runs = 0;
    const run = () => {
      runs += 1;
      throw new Error('down');
    };
    const policy = {
      maxAttempts: 9,
      enableCircuitBreaker: true,
      circuitBreakerThreshold: 1,
      circuitBreakerTimeoutMs: 1_000,
    };
    const { jobs } = workBench({ run: { run, dependency: 'api', policy } }, { store }, clock);
    const { apply } = store;
    await jobs.start();
    await jobs.enqueue('run', null);
    await clock.advance(100);
    expect(runs).toBe(1);
    // The place of the probe is written, but the answer takes its time, and so does everything else.
    store.apply = (async (commands: Parameters<FullStore['apply']>[0]) => {
      const results = await apply(commands);
      const isProbe = commands.some(
        (command) => command.kind === 'control' && command.document?.includes('half_open'),
      );
      if (!isProbe) return results;
      store.fault = BLIND;
      await new Promise<void>((resolve) => void clock.setTimer(2_000, resolve));
      return results;
    }) as FullStore['apply']; // The results are those of the same commands.
    await clock.advance(5_000);
    expect(store.fault).toBe(BLIND);
    expect(runs).toBe(1);
    store.apply = apply;
    store.fault = undefined;
    await clock.advance(30_000);
    expect(runs).toBeGreaterThan(1);
  });

  it('does not go round and round with a job that only it believes to be stopped', async () => {
    const { jobs, store, clock, look, started } = slowBench();
    const { controls, controlRevision } = store;
    await engage(store, 'all');
    await jobs.start();
    const job = await jobs.enqueue('run', 'a');
    await clock.advance(10);
    // From now on the store says that nothing has changed, although the kill switch goes.
    const frozen = await controls();
    store.controls = async () => frozen;
    store.controlRevision = async () => frozen.revision;
    await disengage(store, 'all');
    await clock.advance(1_000);
    const { account } = await look(job.id);
    expect(account.claims).toBeGreaterThan(1);
    // One per look at the controls.
    expect(account.claims).toBeLessThan(120);
    store.controls = controls;
    store.controlRevision = controlRevision;
    await clock.advance(1_000);
    expect(started).toEqual(['a']);
  });
});

describe('a kill switch that was released at a pace', () => {
  it('asks rarely for what nobody may claim, and not for ever', async () => {
    const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
    const store = faultyStore(memoryStore({ clock }));
    const { jobs } = workBench({ run: () => {} }, { store }, clock);
    await jobs.enqueue('run', null, { queue: 'mail' });
    const pause = { scope: 'queue', name: 'mail', actor: { name: 'ann' } } as const;
    await pauseWork(store, pause);
    await jobs.start();
    const write = (sinceMs: number) =>
      updateControl(store, {
        of: 'park',
        key: 'kill:all',
        next: () => ({ sinceMs, submittedBeforeMs: sinceMs }),
      });
    const left = async () => {
      const { all } = await store.controls();
      return all.filter(({ kind }) => kind === 'park').map(({ key }) => key);
    };
    await clock.advance(10);
    await write(clock.now());
    for (let second = 0; second < 60; second += 1) {
      await clock.advance(1_000);
      // Whatever else changes.
      const next = () => ({ sinceMs: second, held: { by: 'ann' } });
      await updateControl(store, { of: 'park', key: 'other', next });
    }
    expect(store.calls.get('jobs')).toBeLessThan(10);
    expect(await left()).toEqual(['kill:all', 'other']);
    await write(clock.now() - 86_400_001);
    await clock.advance(20_000);
    expect(await left()).toEqual(['other']);
  });

  it('parks what was submitted before, once, and lets run what came after', async () => {
    const { jobs, store, clock, look } = workBench({ run: () => {} });
    await engage(store, 'operation:run');
    const old = await jobs.enqueue('run', null);
    await jobs.start();
    await clock.advance(1_000);
    const nowMs = clock.now();
    await updateControl(store, {
      of: 'park',
      key: 'kill:operation:run',
      next: () => ({ sinceMs: nowMs, submittedBeforeMs: nowMs, held: { by: 'ann' } }),
    });
    await disengage(store, 'operation:run');
    await clock.advance(1_000);
    const young = await jobs.enqueue('run', null);
    await clock.advance(1_000);
    expect(await look(young.id)).toMatchObject({ state: 'succeeded' });
    expect(await look(old.id)).toMatchObject({
      state: 'parked',
      cause: 'kill:operation:run',
      reason: 'kill_switch',
      account: { entries: { blocked: 1, failed: 0 } },
    });
    const actor = { name: 'ann' };
    await store.apply([{ kind: 'release', cause: 'kill:operation:run', limit: 1, actor }]);
    await clock.advance(1_000);
    expect(await look(old.id)).toMatchObject({ state: 'succeeded' });
  });
});
