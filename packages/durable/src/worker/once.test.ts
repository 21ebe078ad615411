import { memoryLedger, retry } from '@redrive/core';
import { describe, expect, it } from 'vitest';
import type { JobContext } from '../handler/job-context.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { workBench } from '../testing/work-bench.ts';

const POLICY = { maxAttempts: 3, backoff: 'fixed', baseDelayMs: 1_000, jitter: 'none' } as const;

/** A job that has an effect and then fails so many times. */
function flaky(failures: number) {
  const effects: number[] = [];
  let runs = 0;
  const run = async (payload: number, { once, idempotencyKey }: JobContext) => {
    const receipt = await once(idempotencyKey, () => {
      effects.push(payload);
      return { receipt: effects.length };
    });
    runs += 1;
    if (runs <= failures) throw new Error('after the effect');
    return receipt;
  };
  return { handler: { run, policy: POLICY }, effects };
}

describe('once in a handler', () => {
  it('has its effect in the first attempt, and answers the later ones with its result', async () => {
    const { handler, effects } = flaky(2);
    const { jobs, clock } = workBench({ pay: handler });
    await jobs.start();
    const job = await jobs.enqueue('pay', 7);
    await clock.advance(10_000);
    expect(await jobs.wait(job.id)).toEqual({ receipt: 1 });
    expect(effects).toEqual([7]);
  });

  it('is once over jobs that share a key, wherever they run', async () => {
    const { handler, effects } = flaky(0);
    const first = workBench({ pay: handler });
    const second = workBench({ pay: handler }, { worker: 'w2', store: first.store }, first.clock);
    await Promise.all([first.jobs.start(), second.jobs.start()]);
    await first.jobs.enqueue('pay', 1, { idempotencyKey: 'order 7' });
    await second.jobs.enqueue('pay', 2, { idempotencyKey: 'order 7' });
    await first.clock.advance(5_000);
    expect(effects).toEqual([1]);
  });

  it('may run again when it failed', async () => {
    let effects = 0;
    const run = (_: null, context: JobContext) =>
      context.once('k', () => {
        effects += 1;
        if (effects === 1) throw new Error('no effect');
        return effects;
      });
    const { jobs, clock } = workBench({ pay: { run, policy: POLICY } });
    await jobs.start();
    const job = await jobs.enqueue('pay', null);
    await clock.advance(5_000);
    expect(await jobs.wait(job.id)).toBe(2);
  });

  it('waits for the holder of the key, and takes its result', async () => {
    const { clock, jobs, store } = workBench({
      pay: async (_: null, context: JobContext) => context.once('k', () => 'mine'),
    });
    const ledger = store.ledger();
    const reservation = await ledger.reserve('k', { fingerprint: '', leaseMs: 60_000 });
    await jobs.start();
    const job = await jobs.enqueue('pay', null);
    await clock.advance(2_000);
    expect((await store.job(job.id))?.state).toBe('leased');
    if (reservation.state === 'reserved') await ledger.complete('k', reservation.token, 'theirs');
    await clock.advance(1_000);
    expect(await jobs.wait(job.id)).toBe('theirs');
  });

  it('that does not wait lets the job run again later', async () => {
    const { clock, jobs, store, look } = workBench({
      pay: {
        run: (_: null, context: JobContext) =>
          context.once('k', () => 'mine', { onInProgress: 'fail' }),
        policy: POLICY,
      },
    });
    await store.ledger().reserve('k', { fingerprint: '', leaseMs: 500 });
    await jobs.start();
    const job = await jobs.enqueue('pay', null);
    await clock.advance(10);
    expect(await look(job.id)).toMatchObject({ state: 'scheduled', errorClass: 'retryable' });
    await clock.advance(2_000);
    expect(await jobs.wait(job.id)).toBe('mine');
  });

  it('refuses other parameters under the same key, for good', async () => {
    const { clock, jobs, look } = workBench({
      pay: {
        run: (amount: number, context: JobContext) =>
          context.once('k', () => amount, { fingerprint: String(amount) }),
        policy: POLICY,
      },
    });
    await jobs.start();
    const first = await jobs.enqueue('pay', 1);
    await clock.advance(100);
    const second = await jobs.enqueue('pay', 2);
    await clock.advance(100);
    expect(await jobs.wait(first.id)).toBe(1);
    expect(await look(second.id)).toMatchObject({ state: 'dead', reason: 'final_error' });
  });

  it('stops waiting when the attempt is aborted, and leaves no effect', async () => {
    let effects = 0;
    const { clock, jobs, store, look, stop } = workBench({
      pay: (_: null, context: JobContext) =>
        context.once('k', () => {
          effects += 1;
        }),
    });
    await store.ledger().reserve('k', { fingerprint: '', leaseMs: 3_600_000 });
    await jobs.start();
    const job = await jobs.enqueue('pay', null);
    await clock.advance(1_000);
    await stop({ mode: 'release' });
    expect(await look(job.id)).toMatchObject({ state: 'ready' });
    expect(effects).toBe(0);
  });
});

describe('a call in process', () => {
  it('is once over processes with the ledger of a store', async () => {
    const store = memoryStore();
    let effects = 0;
    const charge = () =>
      retry(
        async () => {
          effects += 1;
          return `charge ${effects}`;
        },
        {},
        { idempotencyKey: 'order 7', ledger: store.ledger() },
      );
    expect(await charge()).toBe('charge 1');
    expect(await charge()).toBe('charge 1');
    expect(effects).toBe(1);
    expect(await memoryLedger().look('order 7')).toBeUndefined();
  });
});
