import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import type { JobContext } from '../handler/job-context.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { workBench } from '../testing/work-bench.ts';

const LEASE = 30_000;
const BEAT = LEASE / 3;

/** A handler whose attempts run until the test ends them. */
function held() {
  const attempts: { context: JobContext; end: (value?: unknown) => void; aborts: unknown[] }[] = [];
  return {
    attempts,
    get newest() {
      const last = attempts.at(-1);
      if (last === undefined) throw new Error('No attempt has started');
      return last;
    },
    run: (_payload: null, context: JobContext) =>
      new Promise<unknown>((end) => {
        const aborts: unknown[] = [];
        context.signal.addEventListener('abort', () => aborts.push(context.signal.reason));
        attempts.push({ context, end, aborts });
      }),
  };
}

describe('progress', () => {
  it('is brought by the next heartbeat, and the last report wins', async () => {
    const work = held();
    const { jobs, clock, look, store } = workBench({ run: work.run });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(1_000);
    const { progress } = work.attempts[0]?.context ?? {};
    const { revision } = await look(id);
    progress?.(0.1);
    progress?.(0.4, 'page 4 of 10');
    const sinceMs = clock.now();
    await clock.advance(10);
    expect((await look(id)).lease?.progress).toBeUndefined();
    await clock.advance(BEAT);
    expect((await look(id)).lease?.progress).toEqual({
      fraction: 0.4,
      note: 'page 4 of 10',
      sinceMs,
    });
    progress?.(0.4, 'page 4 of 10');
    await clock.advance(BEAT);
    const { lease, ...job } = await look(id);
    expect(lease?.progress?.sinceMs).toBe(sinceMs);
    expect(job.revision).toBe(revision);
    expect((await store.jobs({ states: ['leased'] }, { limit: 1 })).jobs[0]?.lease).toEqual(lease);
    work.attempts[0]?.end('done');
    await clock.advance(10);
    expect(await look(id)).toMatchObject({ state: 'succeeded', lease: undefined });
  });

  it('is sent once, and again after a heartbeat that failed', async () => {
    const work = held();
    const clock = virtualClock({ startMs: 0 });
    const memory = memoryStore({ clock });
    const sent: unknown[] = [];
    let fails = true;
    const store: typeof memory = {
      ...memory,
      async heartbeat(leases, leaseMs) {
        sent.push(leases[0]?.progress?.fraction);
        if (fails) throw new Error('away');
        return memory.heartbeat(leases, leaseMs);
      },
    };
    const { jobs } = workBench({ run: work.run }, { store }, clock);
    await jobs.start();
    await jobs.enqueue('run', null);
    await clock.advance(10);
    work.attempts[0]?.context.progress(0.5);
    await clock.advance(BEAT);
    expect(sent).toEqual([0.5]);
    fails = false;
    await clock.advance(BEAT);
    const after = sent.slice(1);
    expect(after[0]).toBe(0.5);
    expect(after.slice(1).every((fraction) => fraction === undefined)).toBe(true);
    await clock.advance(3 * BEAT);
    expect(sent.filter((fraction) => fraction === 0.5)).toHaveLength(2);
    work.attempts[0]?.end();
    await clock.advance(10);
  });

  it('a report that is no progress fails the attempt, like any wrong option', async () => {
    const { jobs, clock, look } = workBench({
      run: (_payload: null, { progress }: JobContext) => progress(2),
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(10);
    expect((await look(id)).attempts.kept[0]?.error).toMatchObject({
      message: 'The progress must be a number from 0 to 1, and is 2',
    });
  });
});

describe('an attempt without progress', () => {
  it('is reported as stalled, until it moves again', async () => {
    const work = held();
    const { jobs, clock, store, noticesOf } = workBench({
      run: { run: work.run, stallAfterMs: 60_000 },
    });
    const stalled = async () => (await store.workers({ limit: 1 })).workers[0]?.stalled;
    await jobs.start();
    const { id } = await jobs.enqueue('run', null, { tenant: 'acme' });
    await clock.advance(40_000);
    const sinceMs = clock.now();
    work.newest.context.progress(0.5, 'half');
    await clock.advance(50_000);
    expect(noticesOf('attempt_stalled')).toEqual([]);
    await clock.advance(30_000);
    expect(noticesOf('attempt_stalled')).toEqual([
      {
        kind: 'attempt_stalled',
        jobId: id,
        handler: 'run',
        forMs: expect.any(Number),
        progress: { fraction: 0.5, note: 'half', sinceMs },
      },
    ]);
    expect(await stalled()).toEqual([{ id, handler: 'run', tenant: 'acme', sinceMs }]);
    expect(work.newest.aborts).toEqual([]);
    work.newest.context.progress(0.6);
    await clock.advance(30_000);
    expect(await stalled()).toEqual([]);
    await clock.advance(90_000);
    expect(noticesOf('attempt_stalled')).toHaveLength(2);
    work.newest.end();
    await clock.advance(20_000);
    expect(await stalled()).toEqual([]);
  });

  it('is interrupted where its handler asks for that, and counts as failed', async () => {
    const work = held();
    const { jobs, clock, look } = workBench({
      run: { run: work.run, stallAfterMs: 60_000, onStall: 'interrupt' },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(60_000 + BEAT);
    expect(work.attempts[0]?.aborts).toMatchObject([{ code: 'attempt_stalled' }]);
    // A value that comes after the abort is too late, as after a timeout.
    work.attempts[0]?.end('late');
    await clock.advance(10);
    const job = await look(id);
    expect(job).toMatchObject({ state: 'scheduled', account: { entries: { failed: 1 } } });
    expect(job.attempts.kept[0]?.error).toMatchObject({
      message: 'The attempt made no progress for 60000 ms',
    });
    await clock.advance(60 * 60_000);
    work.newest.end();
    await clock.advance(10);
  });

  it('a handler that ignores the abort loses its place after two seconds', async () => {
    const work = held();
    const { jobs, clock, look } = workBench({
      run: { run: work.run, stallAfterMs: 60_000, onStall: 'interrupt' },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(60_000 + BEAT + 2_100);
    expect(await look(id)).toMatchObject({ account: { entries: { failed: 1 } } });
    for (const { end } of work.attempts) end();
  });

  it('a handler that reports in time is left alone, and so is one without the option', async () => {
    const reporting = held();
    const plain = held();
    const { jobs, clock, noticesOf } = workBench({
      reporting: { run: reporting.run, stallAfterMs: 20_000, onStall: 'interrupt' },
      plain: plain.run,
    });
    await jobs.start();
    await jobs.enqueue('reporting', null);
    await jobs.enqueue('plain', null);
    for (let n = 1; n <= 30; n += 1) {
      await clock.advance(15_000);
      reporting.newest.context.progress(n / 100);
    }
    expect([...reporting.newest.aborts, ...plain.newest.aborts]).toEqual([]);
    expect(noticesOf('attempt_stalled')).toEqual([]);
    reporting.newest.end();
    plain.newest.end();
    await clock.advance(10);
  });

  it('stallAfterMs is at least the time between two heartbeats', () => {
    const handlers = { run: { run: () => undefined, stallAfterMs: 9_999 } };
    expect(() => workBench(handlers)).toThrow(/stallAfterMs must be at least 10000/);
    expect(() => workBench(handlers, { leaseMs: 29_997 })).not.toThrow();
  });
});
