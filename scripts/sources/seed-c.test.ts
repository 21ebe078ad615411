import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  type CheckedHandlers,
  type Handlers,
  type JobsOptions,
  jobDocument,
  jobsOn,
  memoryStore,
  retryAfter,
} from '@redrive/durable';
import { openStore } from '@redrive/sqlite';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Jobs of document C, which it calls runs, in virtual time: the defaults are those of `runs.default`. */
function runsOn<const H extends Handlers>(
  handlers: H & CheckedHandlers<H>,
  options: JobsOptions = {},
) {
  const clock = virtualClock({ startMs: Date.parse('2024-01-01T00:00:00Z') });
  const store = memoryStore({ clock });
  const lines: string[] = [];
  const line = (_: object, text: string) => void lines.push(text);
  const log = { debug: line, info: line, warn: line, error: line };
  const jobs = jobsOn<H>(store, handlers, { clock, log, pollMs: MINUTE, ...options });
  const stop = async () => {
    const stopped = jobs.stop();
    await clock.advance(1_000);
    await stopped;
  };
  onTestFinished(stop);
  const look = async (id: string) => {
    const job = await store.job(id);
    if (job === undefined) throw new Error(`There is no job ${id}`);
    return jobDocument(job);
  };
  return { clock, store, jobs, look, lines, stop };
}
const down = () => Promise.reject(new Error('connection reset'));

describe('the columns of a run', () => {
  test('at the start: no retry, no time of one, no class', async () => {
    const { jobs, look } = runsOn({ run: down });
    const { id } = await jobs.enqueue('run', null);
    expect(await look(id)).toMatchObject({
      ...{ state: 'ready', retry_count: 0, next_retry_at: null, error_class: null },
    });
  });

  test('after a failure: one retry more with each attempt, its time, and the class', async () => {
    const { jobs, look, clock } = runsOn({ run: down });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(10);
    expect(await look(id)).toMatchObject({
      ...{ state: 'scheduled', retry_count: 1, error_class: 'retryable' },
      next_retry_at: '2024-01-01T00:01:00.000Z',
    });
    await clock.advance(MINUTE);
    expect(await look(id)).toMatchObject({
      ...{ retry_count: 2, next_retry_at: '2024-01-01T00:03:00.000Z' },
    });
  });

  test.each([
    ['final', () => Promise.reject(new TypeError('no such field')), 'dead'],
    ['retryable', down, 'scheduled'],
    ['rate_limited', () => retryAfter(MINUTE), 'scheduled'],
  ])('the class %s is stored', async (error_class, run, state) => {
    const { jobs, look, clock } = runsOn({ run });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(10);
    expect(await look(id)).toMatchObject({ error_class, state });
  });

  test('a failure for good keeps its class and has no time of a retry', async () => {
    const { jobs, look, clock } = runsOn({ run: down });
    await jobs.start();
    const { id } = await jobs.enqueue('run', null);
    await clock.advance(DAY);
    expect(await look(id)).toMatchObject({
      ...{ state: 'dead', error_class: 'retryable', next_retry_at: null, attempts_made: 8 },
    });
  });
});

test('a partial index finds runs by the time of their retry', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'redrive-seed-c-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'runs.db');
  const store = await openStore(file);
  await store.migrate();
  await store.close();
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  const due =
    "select id from jobs where due_at is not null and due_at <= '2024-01-05' order by due_at";
  const plan = database.prepare(`explain query plan ${due}`).all();
  expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining('INDEX jobs_due')]);
  const index = database.prepare("select sql from sqlite_master where name = 'jobs_due'").get();
  expect(index?.sql).toContain('WHERE due_at IS NOT NULL');
});

test('passed, needs review and failed are results of a run that succeeded', async () => {
  const { jobs, look, clock } = runsOn({ run: (verdict: string) => ({ verdict }) });
  await jobs.start();
  const added = await jobs.enqueueMany('run', ['passed', 'needs_review', 'failed']);
  await clock.advance(10);
  for (const { id } of added) {
    expect(await look(id)).toMatchObject({ state: 'succeeded', error_class: null });
    expect(await jobs.wait(id)).toHaveProperty('verdict');
  }
});

test('the defaults: 8 attempts; 60 s, doubling, up to 3600 s', async () => {
  const startsMs: number[] = [];
  const { jobs, clock } = runsOn({
    run: () => {
      startsMs.push(clock.monotonic());
      return down();
    },
  });
  await jobs.start();
  await jobs.enqueue('run', null);
  await clock.advance(DAY);
  const waits = startsMs.slice(1).map((ms, n) => (ms - (startsMs[n] ?? 0)) / 1_000);
  expect(waits).toEqual([60, 120, 240, 480, 960, 1_920, 3_600]);
});

test('a rate limit without a hint waits as long as any failure', async () => {
  const busy = Object.assign(new Error('slow down'), { status: 429 });
  const { jobs, look, clock } = runsOn({ run: () => Promise.reject(busy) });
  await jobs.start();
  const { id } = await jobs.enqueue('run', null);
  await clock.advance(10);
  expect(await look(id)).toMatchObject({
    ...{ error_class: 'rate_limited', retry_count: 1, next_retry_at: '2024-01-01T00:01:00.000Z' },
  });
});

test('the order of the example: the oldest submission first, whether new or due again', async () => {
  const order: string[] = [];
  let failing = true;
  const { jobs, clock, look, stop } = runsOn(
    {
      run: {
        run: (name: string) => {
          if (failing) throw new Error('not yet');
          order.push(name);
        },
        policy: {
          maxAttempts: 9,
          backoff: 'fixed',
          baseDelayMs: 4 * DAY,
          maxDelayMs: 4 * DAY,
          jitter: 'none',
        },
      },
    },
    { concurrency: 1 },
  );
  await jobs.start();
  await jobs.enqueue('run', 'of the 1st, due on the 5th');
  await clock.advance(3 * DAY);
  const late = await jobs.enqueue('run', 'of the 4th, due on the 8th');
  await clock.advance(10);
  await stop();
  await jobs.enqueue('run', 'of the 4th, new');
  await clock.advance(DAY + MINUTE);
  failing = false;
  await jobs.start();
  await clock.advance(10);
  expect(order).toEqual(['of the 1st, due on the 5th', 'of the 4th, new']);
  expect(await look(late.id)).toMatchObject({
    next_retry_at: expect.stringContaining('2024-01-08'),
  });
});

test('a stream of new runs does not starve a retry', async () => {
  const order: string[] = [];
  const { jobs, clock } = runsOn(
    {
      run: async (name: string, { attempt }) => {
        if (name === 'old' && attempt === 1) throw new Error('not yet');
        await new Promise<void>((resolve) => clock.setTimer(1_000, resolve));
        order.push(name);
      },
    },
    { concurrency: 1 },
  );
  await jobs.start();
  await jobs.enqueue('run', 'old');
  await clock.advance(MINUTE - 500);
  // One run per second is done, and a hundred wait.
  await jobs.enqueueMany('run', Array(100).fill('new'));
  await clock.advance(10_000);
  expect(order.length).toBeLessThan(12);
  expect(order).toContain('old');
});

test('a wait blocks no new work', async () => {
  const done: number[] = [];
  const { jobs, clock } = runsOn(
    {
      run: (n: number) => {
        if (n < 10) throw new Error('not yet');
        done.push(n);
      },
    },
    { concurrency: 1 },
  );
  await jobs.start();
  await jobs.enqueueMany(
    'run',
    Array.from({ length: 100 }, (_, n) => n),
  );
  await clock.advance(1_000);
  expect(done).toHaveLength(90);
});

test('a filter holds for new runs and for retries', async () => {
  let runs = 0;
  const run = () => {
    runs += 1;
    return down();
  };
  const { jobs, clock, stop, store } = runsOn({ run });
  await jobs.start();
  await jobs.enqueue('run', null, { queue: 'slow' });
  await clock.advance(10);
  await stop();
  await jobs.enqueue('run', null, { queue: 'slow' });
  const other = jobsOn(store, { run }, { clock, log: 'off', pollMs: MINUTE, queues: ['fast'] });
  await other.start();
  await clock.advance(DAY);
  const stopped = other.stop();
  await clock.advance(1_000);
  await stopped;
  expect(runs).toBe(1);
});

describe('the log', () => {
  const logOf = async (failures: number) => {
    const { jobs, clock, lines } = runsOn({
      run: (_: null, { attempt }: { attempt: number }) => {
        if (attempt <= failures) throw new Error('connection reset');
      },
    });
    await jobs.start();
    await jobs.enqueue('run', null);
    await clock.advance(DAY);
    return lines;
  };

  test('tells the first attempt from retries, and has the attempt and the delay of each retry', async () => {
    expect((await logOf(1)).slice(1)).toEqual([
      'Initial attempt started',
      'Retry scheduled: attempt 2 in 1 min (retryable_error): connection reset',
      'Retry started: attempt 2, after a wait of 1 min',
      'Retry succeeded: attempt 2',
    ]);
  });

  test('says when the attempts are used up', async () => {
    expect((await logOf(9)).at(-1)).toBe('Gave up after 8 of 8 attempts: connection reset');
  });
});
