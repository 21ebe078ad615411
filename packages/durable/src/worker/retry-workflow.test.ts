import { describe, expect, it } from 'vitest';
import { retryAfter } from '../handler/verdict.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';

const MINUTE = 60_000;

/** Fails so often, then succeeds. */
function flaky(failures: number, error: () => unknown = () => new Error('connection reset')) {
  let calls = 0;
  return {
    handler: async () => {
      calls += 1;
      if (calls <= failures) throw error();
      return { calls };
    },
    get calls() {
      return calls;
    },
  };
}

describe('the workflow of a job that is retried', () => {
  it('retry workflow end to end', async () => {
    const { handler } = flaky(2);
    const { jobs, clock, look } = workBench({ run: handler });
    await jobs.start();
    const { id } = await jobs.enqueue('run', { document: 7 });
    await clock.advance(10);
    expect(await look(id)).toMatchObject({
      state: 'scheduled',
      retryCount: 1,
      errorClass: 'retryable',
      reason: 'retryable_error',
      dueAtMs: START_MS + MINUTE,
    });
    await clock.advance(MINUTE);
    expect(await look(id)).toMatchObject({ state: 'scheduled', retryCount: 2 });
    await clock.advance(2 * MINUTE);
    const job = await look(id);
    expect(job).toMatchObject({ state: 'succeeded', result: '{"calls":3}' });
    expect(
      job.attempts.kept.map(({ attempt, delayBeforeMs, delayMs, reason }) => [
        attempt,
        delayBeforeMs,
        delayMs,
        reason,
      ]),
    ).toEqual([
      [1, 0, MINUTE, 'retryable_error'],
      [2, MINUTE, 2 * MINUTE, 'retryable_error'],
      [3, 2 * MINUTE, undefined, 'succeeded'],
    ]);
  });

  it('processor picks up retry runs when they are due, although nothing new arrives', async () => {
    const run = flaky(1);
    const { jobs, clock } = workBench({ run: run.handler });
    await jobs.start();
    await jobs.enqueue('run', null);
    await clock.advance(MINUTE - 1);
    expect(run.calls).toBe(1);
    await clock.advance(1);
    expect(run.calls).toBe(2);
  });

  it('wakes for a retry that is due before the next pulse', async () => {
    const run = flaky(3);
    const { jobs, clock } = workBench({
      run: {
        run: run.handler,
        policy: { maxAttempts: 5, backoff: 'fixed', baseDelayMs: 130, jitter: 'none' },
      },
    });
    await jobs.start();
    await clock.advance(5_000);
    await jobs.enqueue('run', null);
    await clock.advance(5);
    expect(run.calls).toBe(1);
    for (const calls of [2, 3, 4]) {
      await clock.advance(130);
      expect(run.calls).toBe(calls);
    }
  });

  it('wakes for a job that was enqueued for later, by itself', async () => {
    const run = flaky(0);
    const { jobs, clock } = workBench({ run: run.handler });
    await jobs.start();
    await clock.advance(5_100);
    await jobs.enqueue('run', null, { delayMs: 333 });
    await clock.advance(332);
    expect(run.calls).toBe(0);
    await clock.advance(1);
    expect(run.calls).toBe(1);
  });

  it('permanent failure after max attempts', async () => {
    const run = flaky(Infinity);
    const { jobs, clock, look } = workBench({ run: run.handler });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(12 * 60 * MINUTE);
    const job = await look(id);
    expect(run.calls).toBe(8);
    expect(job).toMatchObject({ state: 'dead', reason: 'max_attempts_exceeded', retryCount: 7 });
    expect(job.dueAtMs).toBeUndefined();
    expect(job.attempts.kept.map(({ delayMs }) => delayMs)).toEqual(
      [1, 2, 4, 8, 16, 32, 60, undefined].map((minutes) => minutes && minutes * MINUTE),
    );
    expect(job.account.entries.failed).toBe(8);
  });

  it('successful retry clears retry fields', async () => {
    const { handler } = flaky(1);
    const { jobs, clock, look } = workBench({ run: handler });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(2 * MINUTE);
    const job = await look(id);
    expect(job).toMatchObject({ state: 'succeeded', retryCount: 0 });
    expect(job.errorClass).toBeUndefined();
    expect(job.dueAtMs).toBeUndefined();
  });

  it('starting an attempt clears the next retry’s time and keeps the count', async () => {
    let release = () => {};
    const { handler } = flaky(1);
    const { jobs, clock, look } = workBench({
      run: async () => {
        await handler();
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(MINUTE);
    const job = await look(id);
    expect(job).toMatchObject({ state: 'leased', retryCount: 1, errorClass: 'retryable' });
    expect(job.dueAtMs).toBeUndefined();
    release();
  });

  it('rate-limited scheduling: a hint is waited for and costs no attempt', async () => {
    let limits = 3;
    const { jobs, clock, look } = workBench({
      run: () => (limits-- > 0 ? retryAfter(10 * MINUTE) : 'done'),
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    const job = await look(id);
    expect(job).toMatchObject({ state: 'scheduled', retryCount: 0, errorClass: 'rate_limited' });
    // The hint is a floor; up to a tenth of it is added, so that those who were told together come apart.
    expect(job.dueAtMs).toBeGreaterThanOrEqual(START_MS + 10 * MINUTE);
    expect(job.dueAtMs).toBeLessThanOrEqual(START_MS + 11 * MINUTE);
    expect(job.account.entries).toMatchObject({ rate_limited: 1, failed: 0 });
    await clock.advance(40 * MINUTE);
    expect(await look(id)).toMatchObject({
      state: 'succeeded',
      account: { claims: 4, entries: { rate_limited: 3, failed: 0, succeeded: 1 } },
    });
  });

  it('a rate limit without a hint counts like any other failure', async () => {
    const tooMany = Object.assign(new Error('slow down'), { status: 429 });
    const { handler } = flaky(1, () => tooMany);
    const { jobs, clock, look } = workBench({ run: handler });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    expect(await look(id)).toMatchObject({
      state: 'scheduled',
      errorClass: 'rate_limited',
      retryCount: 1,
      account: { entries: { failed: 1, rate_limited: 0 } },
    });
  });

  it('free waits have a ceiling, after which they count', async () => {
    const { jobs, clock, look } = workBench({
      run: {
        run: () => retryAfter(1_000),
        policy: { maxAttempts: 2, maxFreeWaits: 3, baseDelayMs: 0, jitter: 'none' },
      },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(MINUTE);
    expect(await look(id)).toMatchObject({
      state: 'dead',
      account: { entries: { rate_limited: 3, failed: 2 } },
    });
  });

  it('a final error is dead at once', async () => {
    const run = flaky(1, () => new TypeError('undefined is not a function'));
    const { jobs, clock, look } = workBench({ run: run.handler });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(MINUTE);
    expect(run.calls).toBe(1);
    expect(await look(id)).toMatchObject({
      state: 'dead',
      reason: 'final_error',
      errorClass: 'final',
    });
  });

  it('a poison job does not delay other jobs', async () => {
    const done: number[] = [];
    const { jobs, clock } = workBench(
      {
        run: async (n: number) => {
          if (n === 0) throw new Error('poison');
          done.push(n);
        },
      },
      { concurrency: 1 },
    );
    await jobs.enqueueMany(
      'run',
      Array.from({ length: 20 }, (_, n) => n),
    );
    await jobs.start();
    await clock.advance(100);
    expect(done).toEqual(Array.from({ length: 19 }, (_, n) => n + 1));
  });

  it('new jobs and due retries compete by submission, oldest first', async () => {
    const order: string[] = [];
    let failing = true;
    const { jobs, clock } = workBench(
      {
        run: async (name: string) => {
          if (name === 'old' && failing) throw new Error('not yet');
          order.push(name);
        },
      },
      { concurrency: 1 },
    );
    await jobs.start();
    await jobs.enqueue('run', 'old');
    await clock.advance(1_000);
    const stopped = jobs.stop();
    await clock.advance(0);
    await stopped;
    failing = false;
    for (const name of ['new 1', 'new 2']) await jobs.enqueue('run', name);
    await clock.advance(MINUTE);
    await jobs.start();
    await clock.advance(100);
    expect(order).toEqual(['old', 'new 1', 'new 2']);
  });
});
