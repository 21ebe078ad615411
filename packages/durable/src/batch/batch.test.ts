import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';
import { final } from '../handler/verdict.ts';
import type { JobsOptions } from '../jobs/jobs.ts';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { BatchEnd } from './batch.ts';

const START = Date.UTC(2026, 0, 1);

/** A place with a store, whose processes can be started and killed. */
function place() {
  const clock = virtualClock({ startMs: START });
  const store = memoryStore({ clock });
  const ends: BatchEnd[] = [];
  const ran: number[] = [];
  const handlers = {
    page: async (n: number) => {
      ran.push(n);
      return n === 13 ? final('page 13 is missing') : n;
    },
    report: async (end: BatchEnd) => void ends.push(end),
  };
  const process = (options: JobsOptions = {}) =>
    jobsOn(store, handlers, { clock, log: 'off', ...options });
  return { clock, store, ends, ran, process };
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: { code?: string }) => error.code,
  );

/** An iterable that ends the process after some items. */
function* killedAfter(count: number, items: readonly number[]) {
  yield* items.slice(0, count);
  throw new Error('killed');
}

const RANGE = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('a batch', () => {
  it('runs its job that follows once, within a second of its last job', async () => {
    const { clock, store, ends, process } = place();
    const jobs = process();
    await jobs.start();
    const then = { handler: 'report', data: { book: 7 } } as const;
    const batch = await jobs.enqueueBatch('page', [12, 13, 14], { then });
    expect(batch.items).toBe(3);
    await clock.advance(2_000);
    const counts = { total: 3, succeeded: 2, dead: 1, cancelled: 0, purged: 0 };
    expect(ends).toEqual([{ batch: batch.id, counts, data: { book: 7 } }]);
    expect(await jobs.waitBatch(batch)).toMatchObject({ state: 'ended', counts });
    const last = (await store.jobs({ batch: batch.id }, { limit: 10 })).jobs
      .map(({ finishedAtMs = 0 }) => finishedAtMs)
      .reduce((a, b) => Math.max(a, b));
    const { endedAtMs = Infinity } = (await jobs.batch(batch.id)) ?? {};
    expect(endedAtMs - last).toBeLessThanOrEqual(1_000);
    await jobs.stop();
  });

  it('is continued by the same call after a crash, and each item runs once', async () => {
    const { clock, ends, ran, process } = place();
    const items = RANGE(2_500).map((n) => n + 100);
    const options = { id: 'book-7', then: { handler: 'report' } } as const;
    // The first thousand are stored when the process is killed.
    await expect(
      process().enqueueBatch('page', killedAfter(1_700, items), options),
    ).rejects.toThrow('killed');
    const jobs = process({ concurrency: 1_000 });
    await jobs.start();
    await clock.advance(5_000);
    expect(ran.length).toBe(1_000);
    expect(await jobs.batch('book-7')).toMatchObject({ state: 'open', counts: { total: 1_000 } });
    expect(await jobs.enqueueBatch('page', items, options)).toEqual({ id: 'book-7', items: 2_500 });
    await clock.advance(5_000);
    expect(ran.toSorted()).toEqual(items.toSorted());
    expect(ends.map(({ counts }) => counts.succeeded)).toEqual([2_500]);
    // Complete: the call again changes nothing.
    expect(await jobs.enqueueBatch('page', items, options)).toEqual({ id: 'book-7', items: 2_500 });
    await clock.advance(5_000);
    expect([ran.length, ends.length]).toEqual([2_500, 1]);
    await jobs.stop();
  });

  it('is ended by another process if the one that ran its last job dies', async () => {
    const { clock, store, ends, process } = place();
    const first = process();
    const then = { handler: 'report' } as const;
    await first.enqueueBatch('page', [1], { id: 'b', then });
    const lane = { handler: 'page', limit: 1, policyHash: 'p', limitPerKey: 1 };
    const claim = { kind: 'claim', worker: 'killed', leaseMs: 30_000, lanes: [lane] } as const;
    await store.apply([{ ...claim, limit: 1, ahead: 0 }]);
    // The job is leased by a process that no longer exists.
    const second = process();
    await second.start();
    await clock.advance(10_000);
    expect(ends).toEqual([]);
    await clock.advance(60_000);
    expect(ends.map(({ batch, counts }) => [batch, counts.succeeded])).toEqual([['b', 1]]);
    await second.stop();
  });

  it('is awaited by idle(), which resolves after the job that follows', async () => {
    const { clock, ends, process } = place();
    const jobs = process();
    await jobs.start();
    // The next look at the store is most of a second away.
    await clock.advance(100);
    await jobs.enqueueBatch('page', [1], { id: 'b', then: { handler: 'report' } });
    let isIdle = false;
    const idle = jobs.idle().then(() => {
      isIdle = true;
    });
    while (!isIdle) await clock.advance(100);
    await idle;
    expect(ends.length).toBe(1);
    await jobs.stop();
  });

  it('takes jobs of any enqueue until it is sealed', async () => {
    const { clock, process } = place();
    const jobs = process();
    const open = { id: 'day', tenant: 'acme', seal: false };
    await jobs.enqueueBatch('page', [], open);
    await jobs.enqueue('page', 1, { batch: 'day', tenant: 'acme' });
    await jobs.enqueueMany('page', [2, 3], { batch: 'day', tenant: 'acme' });
    expect(await codeOf(jobs.enqueue('page', 4, { batch: 'day' }))).toBe('batch_closed');
    expect(await codeOf(jobs.sealBatch('day'))).toBe('batch_not_found');
    await jobs.sealBatch('day', { tenant: 'acme' });
    expect(await codeOf(jobs.enqueue('page', 4, { batch: 'day', tenant: 'acme' }))).toBe(
      'batch_closed',
    );
    expect(await codeOf(jobs.enqueueBatch('page', [5], open))).toBe('batch_closed');
    await jobs.start();
    const waited = jobs.waitBatch('day');
    await clock.advance(3_000);
    expect((await waited).counts.succeeded).toBe(3);
    await jobs.stop();
  });

  it('ends at once without items, and not before a requeued job has finished', async () => {
    const { clock, ends, process } = place();
    const jobs = process();
    await jobs.start();
    await jobs.enqueueBatch('page', [], { id: 'empty', then: { handler: 'report' } });
    await clock.advance(1_000);
    expect(ends.map(({ batch, counts }) => [batch, counts.total])).toEqual([['empty', 0]]);
    await jobs.stop();
  });

  it('refuses what is wrong, and another batch under its id', async () => {
    const { process } = place();
    const jobs = process();
    const wrong = (options: object) => codeOf(jobs.enqueueBatch('page', [1], options));
    expect(await wrong({ id: 'a"b' })).toBe('invalid_job');
    expect(await wrong({ id: '' })).toBe('invalid_job');
    expect(await wrong({ seal: 1 })).toBe('invalid_job');
    expect(await wrong({ then: { handler: 'nobody' } })).toBe('unknown_handler');
    expect(await wrong({ then: { handler: 'report', data: new Map() } })).toBe('invalid_job');
    expect(await wrong({ then: { handler: 'report', priority: 0.5 } })).toBe('invalid_job');
    expect(await wrong({ uniqueKey: 'u' })).toBe('invalid_job');
    expect(await wrong({ onTheMoon: true })).toBe('invalid_job');
    expect(await jobs.batch('b')).toBeUndefined();
    await jobs.enqueueBatch('page', [1], { id: 'b' });
    expect(await wrong({ id: 'b', tenant: 'other' })).toBe('idempotency_conflict');
    expect(await wrong({ id: 'b', then: { handler: 'report' } })).toBe('idempotency_conflict');
    expect(await codeOf(jobs.enqueueBatch('page', [2], { id: 'b' }))).toBe('idempotency_conflict');
    expect(await codeOf(jobs.waitBatch('nobody'))).toBe('batch_not_found');
  });

  it('gives up a wait when its time is over or its signal aborts', async () => {
    const { clock, process } = place();
    const jobs = process();
    const batch = await jobs.enqueueBatch('page', [1]);
    const late = codeOf(jobs.waitBatch(batch, { timeoutMs: 5_000 }));
    await clock.advance(5_000);
    expect(await late).toBe('wait_timeout');
    const controller = new AbortController();
    const aborted = jobs.waitBatch(batch, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
  });
});
