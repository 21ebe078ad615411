import { isRedriveError } from '@redrive/core';
import { describe, expect, it } from 'vitest';
import { recordsIn } from '../audit/read-body.ts';
import { workBench } from '../testing/work-bench.ts';

const codeOf = (call: Promise<unknown>) =>
  call.then(
    (value) => value,
    (error: unknown) => (isRedriveError(error) ? error.code : error),
  );

describe('cancel', () => {
  it('cancels a waiting job, and answers whether it was unfinished', async () => {
    const { jobs, look } = workBench({ run: () => {} });
    const { id } = await jobs.enqueue('run', null, { delayMs: 1_000 });
    expect(await jobs.cancel(id, 'a mistake')).toBe(true);
    expect(await look(id)).toMatchObject({ state: 'cancelled', reason: 'cancelled' });
    expect(await jobs.cancel(id)).toBe(false);
    expect(await codeOf(jobs.cancel('nobody'))).toBe('job_not_found');
  });

  it('records who and why', async () => {
    const { jobs, store } = workBench({ run: () => {} });
    const { id } = await jobs.enqueue('run', null);
    await jobs.cancel(id, 'a mistake');
    const blocks = await store.auditBlocks(1, 10);
    expect(recordsIn({ body: blocks[0]?.body ?? '' })[0]?.detail).toMatchObject({
      by: 'app:w1',
      why: 'a mistake',
    });
  });
});

describe('from JavaScript', () => {
  // `jobs.cancel(id, 5)`: the compiler refuses it.
  const wrong = JSON.parse('5');

  it.each(['cancel', 'retry'] as const)('%s refuses a reason that is no text', async (act) => {
    const { jobs } = workBench({ run: () => {} });
    const { id } = await jobs.enqueue('run', null);
    await expect(jobs[act](id, wrong)).rejects.toMatchObject({
      code: 'invalid_option',
      message: `Invalid ${act}: why must be a text, not a value of type number.`,
    });
    await expect(jobs[act](wrong)).rejects.toMatchObject({ code: 'invalid_option' });
    await expect(jobs[act](id, JSON.parse('{}'))).rejects.toMatchObject({
      message: `Invalid ${act}: why must be a text, not a value of type object.`,
    });
  });
});

describe('retry', () => {
  it('sends a dead or cancelled job again, as a new generation', async () => {
    let isDown = true;
    const { jobs, clock, look } = workBench({
      run: {
        run: () => {
          if (isDown) throw new Error('down');
          return 'up';
        },
        policy: { maxAttempts: 1 },
      },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(10);
    expect((await look(id)).state).toBe('dead');
    isDown = false;
    expect(await jobs.retry(id, 'it is up again')).toBe(true);
    await clock.advance(10);
    expect(await look(id)).toMatchObject({
      state: 'succeeded',
      account: { generation: 2, claims: 1, executions: 2 },
    });
    expect(await jobs.retry(id)).toBe(false);
  });

  it('makes a scheduled job ready before its time', async () => {
    const { jobs, clock, look } = workBench({ run: () => 'done' });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null, { delayMs: 3_600_000 });
    expect(await jobs.retry(id)).toBe(true);
    await clock.advance(10);
    expect((await look(id)).state).toBe('succeeded');
  });

  it('makes a parked job ready', async () => {
    const { jobs, clock, look } = workBench({
      run: {
        run: () => Promise.reject(new Error('down')),
        policy: {
          enableCircuitBreaker: true,
          circuitBreakerThreshold: 1,
          circuitBreakerTimeoutMs: 600_000,
          baseDelayMs: 10,
          jitter: 'none',
        },
      },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(100);
    expect((await look(id)).state).toBe('parked');
    const stopped = jobs.stop();
    await clock.advance(10);
    await stopped;
    expect(await jobs.retry(id)).toBe(true);
    expect((await look(id)).state).toBe('ready');
    expect(await jobs.retry(id)).toBe(false);
  });

  it('is refused where another job has the unique key by now', async () => {
    const { jobs } = workBench({ run: () => {} });
    const { id } = await jobs.enqueue('run', null, { uniqueKey: 'k' });
    await jobs.cancel(id);
    await jobs.enqueue('run', null, { uniqueKey: 'k' });
    expect(await codeOf(jobs.retry(id))).toBe('unique_conflict');
    expect(await codeOf(jobs.retry('nobody'))).toBe('job_not_found');
  });
});
