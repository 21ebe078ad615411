import { isRedriveError, type RedriveError } from '@redrive/core';
import { countAbortListeners, virtualClock } from '@redrive/testkit';
import { describe, expect, it, vi } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import { faultyStore } from '../testing/faulty-store.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';
import { Waiters } from './waiters.ts';

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'resolved',
    (error: unknown) => (isRedriveError(error) ? error.code : error),
  );

describe('wait', () => {
  it('answers with the result of the handler', async () => {
    const { jobs, clock } = workBench({ run: (n: number) => ({ twice: 2 * n }) });
    await jobs.start();
    const job = await jobs.enqueue('run', 21);
    const answers = Promise.all([jobs.wait(job), jobs.wait(job.id)]);
    await clock.advance(100);
    expect(await answers).toEqual([{ twice: 42 }, { twice: 42 }]);
    expect(await jobs.wait(job.id)).toEqual({ twice: 42 });
  });

  it('answers with undefined where nothing was returned', async () => {
    const { jobs, clock } = workBench({ run: () => {} });
    await jobs.start();
    const { id } = await jobs.enqueue('run', undefined);
    await clock.advance(100);
    expect(await jobs.wait(id)).toBeUndefined();
  });

  it('rejects when the job died, with the reason and the last error', async () => {
    const { jobs, clock } = workBench({
      run: { run: () => Promise.reject(new Error('it broke')), policy: { maxAttempts: 1 } },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    const error: unknown = await Promise.all([jobs.wait(id), clock.advance(100)]).catch(
      (thrown) => thrown,
    );
    if (!isRedriveError(error, 'job_failed')) throw error;
    expect(error.message).toBe(`Job ${id} of run is dead: max_attempts_exceeded (it broke)`);
    expect(error.details).toEqual({
      id,
      state: 'dead',
      reason: 'max_attempts_exceeded',
      lastError: { type: 'Error', message: 'it broke' },
    });
  });

  it('rejects when the job was cancelled, purged, or never there', async () => {
    const { jobs, store } = workBench({ run: () => {} });
    const { id } = await jobs.enqueue('run', null);
    await jobs.cancel(id);
    expect(await codeOf(jobs.wait(id))).toBe('job_failed');
    await store.apply([{ kind: 'act', act: 'purge', id, actor: { name: 'test' } }]);
    expect(await codeOf(jobs.wait(id))).toBe('job_not_found');
    expect(await codeOf(jobs.wait('nobody'))).toBe('job_not_found');
  });

  it('says so when the result was too large to be kept', async () => {
    const { jobs, clock, look } = workBench({ run: () => 'x'.repeat(100) }, { maxResultBytes: 50 });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(10);
    expect(await look(id)).toMatchObject({ state: 'succeeded', resultOmittedBytes: 102 });
    expect((await look(id)).result).toBeUndefined();
    expect(await codeOf(jobs.wait(id))).toBe('payload_too_large');
  });

  it('has a time limit', async () => {
    const { jobs, clock } = workBench({ run: () => {} });
    const job = await jobs.enqueue('run', null);
    const codes = Promise.all([
      codeOf(jobs.wait(job)),
      codeOf(jobs.wait(job, { timeoutMs: 70_000 })),
    ]);
    await clock.advance(60_000);
    await clock.advance(10_000);
    expect(await codes).toEqual(['wait_timeout', 'wait_timeout']);
    expect(clock.now()).toBe(START_MS + 70_000);
  });

  it('rejects when the caller’s signal aborts', async () => {
    const { jobs, clock } = workBench({ run: () => {} });
    const job = await jobs.enqueue('run', null);
    const controller = new AbortController();
    const { signal } = controller;
    const reasons = Promise.all([
      jobs.wait(job, { signal, timeoutMs: Infinity }).catch((reason: unknown) => reason),
      jobs.wait(job, { signal }).catch((reason: unknown) => reason),
    ]);
    await clock.advance(100);
    controller.abort('enough');
    expect(await reasons).toEqual(['enough', 'enough']);
    expect(countAbortListeners(signal)).toBe(0);
    expect(await jobs.wait(job, { signal }).catch((reason: unknown) => reason)).toBe('enough');
  });

  it('refuses wrong options', async () => {
    const { jobs } = workBench({ run: () => {} });
    const job = await jobs.enqueue('run', null);
    // @ts-expect-error: plain JavaScript may give anything.
    const wrong = jobs.wait(job, { timeoutMs: -1, signal: 'x' });
    await expect(wrong).rejects.toThrow(/timeoutMs must be.*signal must be an AbortSignal/);
  });
});

describe('waiters', () => {
  function setUp() {
    const clock = virtualClock({ startMs: START_MS });
    const store = faultyStore(memoryStore({ clock }));
    return { clock, store, waiters: new Waiters(store, clock) };
  }

  it('ask one question for all, of at most 1,000 ids each', async () => {
    const { clock, store, waiters } = setUp();
    const finished = vi.spyOn(store, 'finished');
    const waits = Array.from({ length: 2_500 }, (_, n) =>
      waiters.wait(`job ${n}`, 1_000).catch(() => {}),
    );
    await clock.advance(0);
    expect(finished.mock.calls.map(([ids]) => ids.length)).toEqual([1_000, 1_000, 500]);
    await clock.advance(1_000);
    await Promise.all(waits);
    expect(waiters.size).toBe(0);
    expect(clock.pendingTimers).toBe(0);
  });

  it('ask less and less often while nothing happens', async () => {
    const { clock, store, waiters } = setUp();
    const wait = waiters.wait('job', 60_000).catch(() => {});
    await clock.advance(59_999);
    const asked = store.calls.get('finished') ?? 0;
    expect(asked).toBeGreaterThan(55);
    expect(asked).toBeLessThan(75);
    await clock.advance(1);
    await wait;
  });

  it('look sooner when the store says that something has finished', async () => {
    const { jobs, clock } = workBench({
      run: () => new Promise<void>((resolve) => clock.setTimer(20_010, resolve)),
    });
    await jobs.start();
    const job = await jobs.enqueue('run', null);
    let answeredAtMs = 0;
    void jobs.wait(job).then(() => {
      answeredAtMs = clock.now() - START_MS;
    });
    await clock.advance(22_000);
    // By itself it would look once a second by now.
    expect(answeredAtMs).toBeGreaterThanOrEqual(20_010);
    expect(answeredAtMs).toBeLessThan(20_010 + 250);
  });

  it('do not ask with every hint of a busy store', async () => {
    const { clock, store, waiters } = setUp();
    let hint: (change: 'finished' | 'ready') => void = () => {};
    vi.spyOn(store, 'watch').mockImplementation((listener) => {
      hint = listener;
      return () => {};
    });
    const wait = waiters.wait('job', 60_000).catch(() => {});
    for (let ms = 0; ms < 10_000; ms++) {
      hint('finished');
      hint('ready');
      await clock.advance(1);
    }
    expect(store.calls.get('finished')).toBeLessThan(100);
    await clock.advance(60_000);
    await wait;
  });

  it('do not wait longer than they may for a store that does not answer at all', async () => {
    const clock = virtualClock({ startMs: START_MS });
    const store = faultyStore(memoryStore({ clock }));
    store.fault = { calls: ['finished'], when: 'never' };
    const waiters = new Waiters(store, clock);
    const ended: string[] = [];
    const waitFor = (id: string, timeoutMs: number): void =>
      void codeOf(waiters.wait(id, timeoutMs)).then((code) => ended.push(`${id}: ${String(code)}`));
    waitFor('first', 1_000);
    await clock.advance(500);
    waitFor('second', 200);
    await clock.advance(400);
    expect(ended).toEqual(['second: wait_timeout']);
    await clock.advance(350);
    expect(ended).toEqual(['second: wait_timeout', 'first: wait_timeout']);
    waitFor('third', 100);
    await clock.advance(350);
    expect(ended.at(-1)).toBe('third: wait_timeout');
    expect(waiters.size).toBe(0);
    expect(clock.pendingTimers).toBe(0);
  });

  it('outlast a store that does not answer for a while', async () => {
    const { clock, store, waiters } = setUp();
    store.fault = { calls: ['finished'], when: 'before' };
    const wait = waiters.wait('job', 5_000).catch((error: RedriveError) => error.code);
    await clock.advance(5_000);
    expect(await wait).toBe('wait_timeout');
  });
});
