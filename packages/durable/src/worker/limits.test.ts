import { isRedriveError } from '@redrive/core';
import { describe, expect, it } from 'vitest';
import { ABORT_GRACE_MS, type JobContext } from '../handler/job-context.ts';
import { START_MS, workBench } from '../testing/work-bench.ts';

const timed = {
  maxAttempts: 3,
  baseDelayMs: 1_000,
  backoff: 'fixed',
  jitter: 'none',
  attemptTimeoutMs: 5_000,
} as const;

const untilAborted = (_: unknown, { signal }: JobContext) =>
  new Promise<never>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(new Error(`aborted: ${signal.reason.message}`))),
  );

describe('the timeout of an attempt', () => {
  it('aborts the signal; the attempt fails as attempt_timeout, whatever the handler makes of it', async () => {
    const { jobs, clock, look } = workBench({ run: { run: untilAborted, policy: timed } });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(4_999);
    expect((await look(id)).state).toBe('leased');
    await clock.advance(1);
    await clock.advance(10);
    const job = await look(id);
    expect(job.state).toBe('scheduled');
    expect(job.attempts.kept[0]).toMatchObject({
      durationMs: 5_000,
      errorClass: 'retryable',
      error: { type: 'RedriveError', message: 'The attempt took longer than 5000 ms' },
    });
    await clock.advance(60_000);
    expect(await look(id)).toMatchObject({ state: 'dead', reason: 'max_attempts_exceeded' });
  });

  it('gives a handler that does not listen two seconds, then goes on without it', async () => {
    let calls = 0;
    const { jobs, clock, look } = workBench(
      {
        deaf: {
          run: () => {
            calls += 1;
            return new Promise(() => {});
          },
          policy: timed,
        },
        other: () => 'fine',
      },
      { concurrency: 1 },
    );
    await jobs.start();
    const { id } = await jobs.enqueue('deaf', null);
    await clock.advance(10);
    const other = await jobs.enqueue('other', null);
    await clock.advance(6_980);
    expect((await look(other.id)).state).toBe('ready');
    await clock.advance(50);
    expect((await look(other.id)).state).toBe('succeeded');
    expect((await look(id)).attempts.kept[0]).toMatchObject({ durationMs: 7_000 });
    await clock.advance(60_000);
    expect(calls).toBe(3);
  });

  it('holds although a value comes in those two seconds: its time was up', async () => {
    const { jobs, clock, look } = workBench({
      run: {
        run: (_: unknown, { signal }: JobContext) =>
          new Promise((resolve) => signal.addEventListener('abort', () => resolve('late'))),
        policy: { ...timed, maxAttempts: 1 },
      },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(5_010);
    expect(await look(id)).toMatchObject({ state: 'dead' });
  });

  it('costs one timer for all attempts', async () => {
    const { jobs, clock } = workBench(
      { run: { run: untilAborted, policy: timed } },
      { concurrency: 100 },
    );
    await jobs.start();
    await clock.advance(0);
    const before = clock.pendingTimers;
    await jobs.enqueueMany('run', Array(100).fill(null));
    await clock.advance(10);
    // One for the limits, one for the heartbeats.
    expect(clock.pendingTimers - before).toBeLessThanOrEqual(2);
  });
});

describe('the deadline of a job', () => {
  it('makes a waiting job a dead letter', async () => {
    const { jobs, clock, look } = workBench({ run: () => Promise.reject(new Error('down')) });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null, { deadline: new Date(START_MS + 30_000) });
    await clock.advance(0);
    // The next attempt would come after it.
    expect(await look(id)).toMatchObject({ state: 'dead', reason: 'ttl_exceeded' });
  });

  it('aborts an attempt, and none follows', async () => {
    const { jobs, clock, look } = workBench({ run: untilAborted });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null, { deadline: new Date(START_MS + 30_000) });
    await clock.advance(30_010);
    const job = await look(id);
    expect(job).toMatchObject({ state: 'dead', reason: 'ttl_exceeded' });
    expect(job.attempts.kept[0]?.error?.message).toBe('The deadline of the job has passed');
  });

  it('passes while a job waits for its turn: it does not start', async () => {
    let started = 0;
    let block = () => {};
    const { jobs, clock, look } = workBench(
      {
        run: async (n: number) => {
          started += 1;
          if (n === 0) await new Promise<void>((resolve) => (block = resolve));
        },
      },
      { concurrency: 1 },
    );
    await jobs.start();
    await jobs.enqueue('run', 0);
    const { id } = await jobs.enqueue('run', 1, { deadline: new Date(START_MS + 5_000) });
    await clock.advance(10_000);
    expect(await look(id)).toMatchObject({ state: 'dead', reason: 'ttl_exceeded' });
    expect(started).toBe(1);
    block();
  });

  it('passes while a job waits that was claimed ahead: it does not start', async () => {
    const started: number[] = [];
    let block = () => {};
    const { jobs, clock, look } = workBench(
      {
        run: async (n: number) => {
          started.push(n);
          if (n === 20) {
            await new Promise<void>((resolve) => {
              block = resolve;
            });
          }
        },
      },
      { concurrency: 1, leaseMs: 2_000 },
    );
    const deadline = new Date(START_MS + 5_000);
    const many = await jobs.enqueueMany(
      'run',
      Array.from({ length: 40 }, (_, n) => n),
      { deadline },
    );
    await jobs.start();
    await clock.advance(0);
    const id = many[30]?.id ?? '';
    expect((await look(id)).state).toBe('leased');
    await clock.advance(5_001);
    block();
    await clock.advance(10);
    expect(started).toHaveLength(21);
    expect(await look(id)).toMatchObject({
      state: 'dead',
      reason: 'ttl_exceeded',
      // It waited here for a third of its lease, and was given back.
      account: { entries: { interrupted: 1, failed: 0 } },
    });
  });

  it('is also the policy’s ttl, from the beginning of the generation', async () => {
    const { jobs, clock, look } = workBench({
      run: {
        run: () => Promise.reject(new Error('down')),
        policy: {
          maxAttempts: 100,
          backoff: 'fixed',
          baseDelayMs: 1_000,
          jitter: 'none',
          ttlMs: 4_500,
        },
      },
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(60_000);
    const job = await look(id);
    expect(job).toMatchObject({ state: 'dead', reason: 'ttl_exceeded' });
    expect(job.account.entries.failed).toBe(5);
    await jobs.retry(id);
    await clock.advance(60_000);
    expect((await look(id)).account).toMatchObject({ generation: 2, entries: { failed: 5 } });
  });

  it('gives the handler the time that is left', async () => {
    const left: number[] = [];
    const { jobs, clock } = workBench({
      run: (_: unknown, context) => void left.push(context.timeLeftMs, context.parent.timeLeftMs()),
    });
    await jobs.enqueue('run', null, { deadline: new Date(START_MS + 5_000) });
    await jobs.enqueue('run', null);
    await clock.advance(1_000);
    await jobs.start();
    await clock.advance(10);
    expect(left).toEqual([4_000, 4_000, Infinity, Infinity]);
  });

  it('holds by the store’s clock, not by this machine’s', async () => {
    const left: number[] = [];
    const { jobs, clock, store } = workBench({
      run: (_: unknown, context) => void left.push(context.timeLeftMs),
    });
    // The worker's own clock is an hour ahead; the store answers with its own time.
    const { apply } = store;
    Object.assign(store, {
      apply: async (commands: Parameters<typeof apply>[0]) => {
        const results = await apply(commands);
        return (results as readonly { nowMs?: number }[]).map((result) =>
          result.nowMs === undefined ? result : { ...result, nowMs: result.nowMs - 3_600_000 },
        );
      },
    });
    await jobs.enqueue('run', null, { deadline: new Date(START_MS + 5_000) });
    await jobs.start();
    await clock.advance(10);
    expect(left).toEqual([3_605_000]);
  });
});

describe('a cancelled job', () => {
  it('that runs here is aborted at once', async () => {
    const reasons: unknown[] = [];
    const { jobs, clock, look } = workBench({
      run: (_: unknown, { signal }: JobContext) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason);
            reject(new Error('whatever'));
          }),
        ),
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    expect(await jobs.cancel(id, 'not needed')).toBe(true);
    await clock.advance(10);
    expect(reasons[0]).toMatchObject({ name: 'AbortError' });
    expect(await look(id)).toMatchObject({
      state: 'cancelled',
      reason: 'cancelled',
      account: { entries: { cancelled: 1 } },
    });
    expect(await jobs.cancel(id)).toBe(false);
  });

  it('whose handler ignores its signal does not keep its slot', async () => {
    const started: string[] = [];
    const run = (name: string) => {
      started.push(name);
      return name === 'deaf' ? new Promise<never>(() => {}) : undefined;
    };
    const { jobs, clock, look } = workBench({ run }, { concurrency: 1 });
    await jobs.start();
    const { id } = await jobs.enqueue('run', 'deaf');
    await clock.advance(0);
    await jobs.enqueue('run', 'next');
    await jobs.cancel(id);
    await clock.advance(ABORT_GRACE_MS - 1);
    expect(started).toEqual(['deaf']);
    // Longer than a heartbeat: each of them says again that the job is cancelled.
    await clock.advance(60_000);
    expect(started).toEqual(['deaf', 'next']);
    expect(await look(id)).toMatchObject({
      state: 'cancelled',
      account: { entries: { cancelled: 1 } },
    });
  });

  it('that another process cancels is aborted at the next heartbeat', async () => {
    const { jobs, clock, look, store } = workBench({ run: untilAborted });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    await store.apply([{ kind: 'act', act: 'cancel', id, actor: { name: 'test' } }]);
    await clock.advance(9_999);
    expect((await look(id)).state).toBe('leased');
    await clock.advance(20);
    expect((await look(id)).state).toBe('cancelled');
  });

  it('that succeeds all the same has succeeded', async () => {
    const { jobs, clock, look } = workBench({
      run: (_: unknown, { signal }: JobContext) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve('done anyway'))),
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    await jobs.cancel(id);
    await clock.advance(10);
    expect((await look(id)).state).toBe('succeeded');
  });

  it('that waits in the local queue does not start', async () => {
    const order: number[] = [];
    let block = () => {};
    const { jobs, clock, look } = workBench(
      {
        run: async (n: number) => {
          order.push(n);
          if (n === 20) await new Promise<void>((resolve) => (block = resolve));
        },
      },
      { concurrency: 1 },
    );
    const many = await jobs.enqueueMany(
      'run',
      Array.from({ length: 40 }, (_, n) => n),
    );
    await jobs.start();
    await clock.advance(0);
    const id = many[30]?.id ?? '';
    expect((await look(id)).state).toBe('leased');
    await jobs.cancel(id);
    await clock.advance(10);
    expect((await look(id)).state).toBe('cancelled');
    block();
    await clock.advance(10);
    expect(order).not.toContain(30);
    expect(order).toHaveLength(39);
  });

  it('an AbortError that nobody asked for is a failure like any other', async () => {
    const { jobs, clock, look } = workBench({
      run: () => Promise.reject(new DOMException('the handler’s own', 'AbortError')),
    });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(0);
    expect(await look(id)).toMatchObject({ state: 'scheduled', errorClass: 'retryable' });
  });
});

it('a signal that is asked for late has aborted already', async () => {
  const late: unknown[] = [];
  const { jobs, clock } = workBench({
    run: {
      run: async (_: unknown, context: JobContext) => {
        await new Promise<void>((resolve) => clock.setTimer(6_000, resolve));
        late.push(context.signal.aborted, isRedriveError(context.signal.reason, 'attempt_timeout'));
      },
      policy: { ...timed, maxAttempts: 1 },
    },
  });
  await jobs.start();
  await jobs.enqueue('run', null);
  await clock.advance(6_100);
  expect(late).toEqual([true, true]);
});
