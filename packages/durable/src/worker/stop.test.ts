import { isRedriveError } from '@redrive/core';
import { countAbortListeners, expectNoTimers } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import type { JobContext } from '../handler/job-context.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { workBench } from '../testing/work-bench.ts';

const untilAborted = (_: unknown, { signal }: JobContext) =>
  new Promise<never>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason)),
  );

/** Runs until it is let go, whatever its signal says. */
function stubborn() {
  let release = () => {};
  const handler = () =>
    new Promise<string>((resolve) => {
      release = () => resolve('done');
    });
  return { handler, release: () => release() };
}

describe('a stop', () => {
  it('lets what runs finish, and starts nothing new', async () => {
    const work = stubborn();
    const { jobs, clock, look, notices } = workBench({ run: work.handler }, { concurrency: 1 });
    await jobs.start();
    const [first, second] = await jobs.enqueueMany('run', [1, 2]);
    await clock.advance(0);
    const stopped = jobs.stop();
    await clock.advance(5_000);
    work.release();
    await stopped;
    expect((await look(first?.id ?? '')).state).toBe('succeeded');
    expect(await look(second?.id ?? '')).toMatchObject({ state: 'ready', account: { claims: 0 } });
    expect(notices.slice(1)).toEqual([
      { kind: 'stopping', mode: 'finish', running: 1 },
      { kind: 'stopped', abandoned: 0 },
    ]);
    expectNoTimers(clock);
  });

  it('gives back at once what was claimed ahead, uncharged', async () => {
    let block = () => {};
    const { jobs, clock, store } = workBench(
      {
        run: async (n: number) => {
          if (n === 20) await new Promise<void>((resolve) => (block = resolve));
        },
      },
      { concurrency: 1 },
    );
    await jobs.enqueueMany(
      'run',
      Array.from({ length: 100 }, (_, n) => n),
    );
    await jobs.start();
    await clock.advance(10);
    const stopped = jobs.stop();
    await clock.advance(0);
    const { jobs: ready } = await store.jobs({ states: ['ready'] }, { limit: 1_000 });
    expect(ready).toHaveLength(79);
    expect(ready.filter(({ account }) => account.entries.interrupted === 1).length).toBeGreaterThan(
      50,
    );
    expect(ready.every(({ retryCount }) => retryCount === 0)).toBe(true);
    block();
    await clock.advance(10);
    await stopped;
  });

  it('in mode release aborts what runs, and charges nothing', async () => {
    const reasons: unknown[] = [];
    const { jobs, clock, look } = workBench({
      run: async (_: unknown, context) => {
        context.signal.addEventListener('abort', () => reasons.push(context.signal.reason));
        return untilAborted(null, context);
      },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    await jobs.stop({ mode: 'release' });
    expect(isRedriveError(reasons[0], 'worker_stopping')).toBe(true);
    expect(await look(id)).toMatchObject({
      state: 'ready',
      reason: 'interrupted',
      retryCount: 0,
      account: { claims: 1, entries: { interrupted: 1, failed: 0 } },
    });
  });

  it('keeps a success that comes although the worker stops', async () => {
    const { jobs, clock, look } = workBench({
      run: (_: unknown, { signal }) =>
        new Promise<string>((resolve) =>
          signal.addEventListener('abort', () => resolve('saved what there was')),
        ),
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    await jobs.stop({ mode: 'release' });
    expect(await look(id)).toMatchObject({ state: 'succeeded', result: '"saved what there was"' });
  });

  it('releases after the grace time, abandons two seconds later, and is over', async () => {
    const work = stubborn();
    const { jobs, clock, look, noticesOf } = workBench({ run: work.handler });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    let isOver = false;
    const stopped = jobs.stop({ graceMs: 10_000 }).then(() => {
      isOver = true;
    });
    await clock.advance(11_999);
    expect(isOver).toBe(false);
    expect((await look(id)).state).toBe('leased');
    await clock.advance(1);
    await stopped;
    expect(noticesOf('stopped')).toEqual([{ kind: 'stopped', abandoned: 1 }]);
    expect(await look(id)).toMatchObject({
      state: 'ready',
      account: { entries: { interrupted: 1 } },
    });
    // What the handler does afterwards concerns nobody.
    work.release();
    await clock.advance(100);
    expect((await look(id)).state).toBe('ready');
  });

  it('leaves an abandoned attempt to its lease where unknown effects are for a person', async () => {
    const work = stubborn();
    const { jobs, clock, look } = workBench({
      run: { run: work.handler, onUnknown: 'dead_letter' },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    const stopped = jobs.stop({ mode: 'release' });
    await clock.advance(2_000);
    await stopped;
    expect((await look(id)).state).toBe('leased');
    await jobs.start();
    await clock.advance(60_000);
    expect(await look(id)).toMatchObject({ state: 'dead', reason: 'effect_unknown' });
  });

  it('that is asked for a second time may be stricter', async () => {
    const work = stubborn();
    const { jobs, clock } = workBench({ run: work.handler });
    await jobs.start();
    await jobs.enqueue('run', null);
    await clock.advance(0);
    const first = jobs.stop({ graceMs: 3_600_000 });
    await clock.advance(1_000);
    const second = jobs.stop({ mode: 'release' });
    await clock.advance(2_000);
    await Promise.all([first, second]);
    expectNoTimers(clock);
  });

  it('that is asked for a second time is never more patient', async () => {
    const work = stubborn();
    const { jobs, clock } = workBench({ run: work.handler });
    await jobs.start();
    await jobs.enqueue('run', null);
    await clock.advance(0);
    const stops = [jobs.stop({ graceMs: 1_000 }), jobs.stop({ graceMs: 3_600_000 })];
    await clock.advance(3_000);
    await Promise.all(stops);
  });

  it('is over within the grace time although the store does not answer', async () => {
    const bench = workBench({ run: () => {} });
    const { clock } = bench;
    const store = faultyStore(memoryStore({ clock }));
    const work = stubborn();
    const { jobs } = workBench({ run: work.handler }, { store }, clock);
    await jobs.start();
    await jobs.enqueue('run', null);
    await clock.advance(0);
    store.fault = { calls: ['apply'], when: 'never' };
    const stopped = jobs.stop({ graceMs: 5_000 });
    work.release();
    await clock.advance(9_000);
    await stopped;
    store.fault = undefined;
  });

  it('is over for good: an answer that fails afterwards is no reason to ask again', async () => {
    const bench = workBench({ run: () => {} });
    const { clock } = bench;
    const inner = memoryStore({ clock });
    let fail: (error: Error) => void = () => {};
    let isClosed = false;
    let askedInVain = 0;
    const store = {
      ...inner,
      apply: (commands: Parameters<typeof inner.apply>[0]) => {
        if (isClosed) {
          askedInVain += 1;
          // Endless, if nobody ends it: the test shall fail instead.
          return askedInVain > 100 ? new Promise(() => {}) : Promise.reject(new Error('closed'));
        }
        if (!commands.some(({ kind }) => kind === 'settle')) return inner.apply(commands);
        return new Promise((_, reject) => {
          fail = reject;
        });
      },
    } as typeof inner;
    const { jobs } = workBench({ run: () => {} }, { store }, clock);
    await jobs.start();
    await jobs.enqueue('run', null);
    await clock.advance(10);
    const stopped = jobs.stop({ graceMs: 1_000 });
    await clock.advance(10_000);
    await stopped;
    isClosed = true;
    fail(new Error('out of reach'));
    await clock.advance(10);
    expect(askedInVain).toBeLessThan(2);
  });

  it('writes an end that the store refused to take at first', async () => {
    const bench = workBench({ run: () => {} });
    const { clock } = bench;
    const store = faultyStore(memoryStore({ clock }));
    const work = stubborn();
    const { jobs, look } = workBench({ run: work.handler }, { store }, clock);
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    store.fault = { calls: ['apply'], when: 'before' };
    const stopped = jobs.stop({ graceMs: 5_000 });
    work.release();
    await clock.advance(300);
    store.fault = undefined;
    await clock.advance(3_000);
    await stopped;
    expect((await look(id)).state).toBe('succeeded');
  });

  it('waits for a claim that is under way, and gives back what it brings', async () => {
    const bench = workBench({ run: () => {} });
    const { clock } = bench;
    const inner = memoryStore({ clock });
    let answer = () => {};
    const store = {
      ...inner,
      apply: async (commands: Parameters<typeof inner.apply>[0]) => {
        const results = await inner.apply(commands);
        if (commands.some(({ kind }) => kind === 'claim')) {
          await new Promise<void>((resolve) => {
            answer = resolve;
          });
        }
        return results;
      },
    } as typeof inner;
    const { jobs, look } = workBench({ run: () => {} }, { store }, clock);
    const { id } = await jobs.enqueue('run', null);
    await jobs.start();
    await clock.advance(0);
    expect((await look(id)).state).toBe('leased');
    let isOver = false;
    const stopped = jobs.stop().then(() => {
      isOver = true;
    });
    await clock.advance(100);
    expect(isOver).toBe(false);
    answer();
    await clock.advance(0);
    await stopped;
    expect(await look(id)).toMatchObject({
      state: 'ready',
      account: { entries: { interrupted: 1 } },
    });
  });

  it('refuses wrong options', async () => {
    const { jobs } = workBench({ run: () => {} });
    // @ts-expect-error: plain JavaScript may ask for anything.
    await expect(jobs.stop({ mode: 'kill', graceMs: -1 })).rejects.toThrow(
      /mode must be one of finish, release.*graceMs must be/,
    );
  });

  it('without a start, or twice, is harmless', async () => {
    const { jobs } = workBench({ run: () => {} });
    await jobs.stop();
    await jobs.start();
    await jobs.start();
    await jobs.stop();
    await jobs.stop();
  });
});

describe('start and stop', () => {
  it('fifty times leave nothing behind, and work goes on every time', async () => {
    const done: number[] = [];
    const listeners = new Set<unknown>();
    const bench = workBench({ run: () => {} });
    const { clock } = bench;
    const inner = memoryStore({ clock });
    const store = {
      ...inner,
      watch: (listener: Parameters<typeof inner.watch>[0]) => {
        listeners.add(listener);
        const stop = inner.watch(listener);
        return () => {
          listeners.delete(listener);
          stop();
        };
      },
    };
    const controller = new AbortController();
    const { jobs } = workBench({ run: async (n: number) => void done.push(n) }, { store }, clock);
    for (let round = 0; round < 50; round++) {
      const started = jobs.start();
      const { id } = await jobs.enqueue('run', round);
      await started;
      const waited = jobs.wait(id, { signal: controller.signal });
      await clock.advance(50);
      await waited;
      const stopped = jobs.stop();
      // Whoever starts while it stops gets the next one.
      await clock.advance(10);
      await stopped;
      expectNoTimers(clock);
      expect(listeners.size).toBe(0);
    }
    expect(done).toEqual(Array.from({ length: 50 }, (_, n) => n));
    expect(countAbortListeners(controller.signal)).toBe(0);
  });

  it('a start while it stops waits for the end of the stop', async () => {
    const work = stubborn();
    const { jobs, clock, noticesOf } = workBench({ run: work.handler });
    await jobs.start();
    await jobs.enqueue('run', null);
    await clock.advance(0);
    const stopped = jobs.stop();
    const started = jobs.start();
    await clock.advance(100);
    expect(noticesOf('started')).toHaveLength(1);
    work.release();
    await clock.advance(10);
    await Promise.all([stopped, started]);
    expect(noticesOf('started')).toHaveLength(2);
  });
});
