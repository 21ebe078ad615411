import { deepEqual, equal, ok } from 'node:assert/strict';
import {
  circuitBreaker,
  isRetryError,
  type Policy,
  RedriveError,
  retry,
  retryBudget,
  retryBudgets,
} from '@redrive/core';
import { currentAttempt, retry as nodeRetry } from '@redrive/core/node';
import { toEventV1 } from '@redrive/core/records';
import {
  type CheckedHandlers,
  type Handlers,
  type Job,
  type JobContext,
  jobDocument,
  jobsOn,
  recordsOf,
  sessionDocument,
} from '@redrive/durable';
import { deadLetterOf } from '@redrive/durable/dead-letters';
import { watchedStore } from './idle-clock.ts';
import type { FullStoreSuite, FullStoreUnderTest } from './suite.ts';

/** Three attempts, as `retry` has by default, without waits. */
const THREE_AT_ONCE = { maxAttempts: 3, backoff: 'immediate' } as const;
const SIX_S = { maxAttempts: 3, baseDelayMs: 6_000, jitter: 'none', backoff: 'fixed' } as const;

/** Attempts are limited per rung; deadline, budget, breaker, ids and the record are shared. */
export function ladderTests({ test }: FullStoreSuite): void {
  test('retry() with its defaults inside a job handler: 8 attempts of 3 calls over two hours', async (subject) => {
    let calls = 0;
    const down = async () => {
      calls += 1;
      throw new Error('down');
    };
    const bench = makeBench(subject, {
      call: () => retry(down, undefined, { clock: subject.clock }),
    });
    const { id } = await bench.jobs.enqueue('call', null);
    await bench.start();
    await bench.pass(7_300_000);
    equal((await bench.look(id)).state, 'scheduled');
    await bench.pass(200_000);
    const job = await bench.look(id);
    deepEqual([job.state, job.reason, calls], ['dead', 'max_attempts_exceeded', 24]);
    deepEqual([job.account.entries.failed, job.errorClass], [8, 'retryable']);
    const tookMs = (job.finishedAtMs ?? 0) - job.submittedAtMs;
    ok(tookMs >= 7_380_000 && tookMs < 7_420_000, `${tookMs} ms`);
    await bench.stop();
  });

  test('a give-up on a 429 without Retry-After is not free, with one it waits as asked', async (subject) => {
    let headers = {};
    const limited = async () => {
      throw Object.assign(new Error('slow down'), { status: 429, headers });
    };
    const bench = makeBench(subject, {
      call: { run: () => retry(limited, THREE_AT_ONCE, { clock: subject.clock }), policy: SIX_S },
    });
    const { id } = await bench.jobs.enqueue('call', null);
    await bench.start();
    const charged = await bench.look(id);
    deepEqual([charged.account.entries.failed, charged.errorClass], [1, 'rate_limited']);
    equal(charged.attempts.kept[0]?.delayMs, 6_000);
    // Beyond the horizon of the call, which gives up at once.
    headers = { 'retry-after': '1200' };
    await bench.pass(6_000);
    const free = await bench.look(id);
    deepEqual([free.account.entries.failed, free.account.entries.rate_limited], [1, 1]);
    ok((free.attempts.kept[1]?.delayMs ?? 0) >= 1_200_000);
    await bench.stop();
  });

  test('given up by a breaker or a budget inside, the job parks, uncharged', async (subject) => {
    const { clock } = subject;
    const down = async () => {
      throw new Error('down');
    };
    const breaker = circuitBreaker({ key: 'api', threshold: 1, timeoutMs: 60_000, clock });
    const budget = retryBudget({ burst: 0, floorPerSecond: 0, clock });
    const bench = makeBench(subject, {
      breaker: { run: () => retry(down, {}, { clock, breaker }), policy: SIX_S },
      budget: { run: () => retry(down, {}, { clock, budget }), policy: SIX_S },
    });
    const ids = [
      (await bench.jobs.enqueue('breaker', null)).id,
      (await bench.jobs.enqueue('budget', null)).id,
    ];
    await bench.start();
    const jobs = await Promise.all(ids.map(bench.look));
    deepEqual(
      jobs.map(({ state, reason, cause, account: { entries } }) => [
        ...[state, reason, cause],
        ...[entries.failed, entries.blocked],
      ]),
      [
        ['parked', 'breaker_open', 'local-breaker:breaker', 0, 1],
        ['parked', 'budget_exhausted', 'budget:budget', 0, 1],
      ],
    );
    const waits = jobs.map(({ dueAtMs = 0, submittedAtMs }) => dueAtMs - submittedAtMs);
    ok(waits[0] !== undefined && waits[0] >= 60_000 && waits[1] === 6_000, String(waits));
    await bench.stop();
  });

  test('given up by the kill switch inside, the job is given back, uncharged', async (subject) => {
    const { clock } = subject;
    let isEngaged = true;
    let calls = 0;
    const killSwitch = { isEngaged: () => isEngaged };
    const down = async () => {
      calls += 1;
      if (isEngaged) throw new Error('down');
    };
    const bench = makeBench(subject, {
      call: { run: () => retry(down, {}, { clock, killSwitch }), policy: SIX_S },
    });
    const { id } = await bench.jobs.enqueue('call', null);
    await bench.start();
    await bench.pass(30_000);
    const job = await bench.look(id);
    deepEqual([job.state, job.reason, job.account.entries.failed], ['scheduled', 'kill_switch', 0]);
    ok(calls > 3 && job.account.entries.blocked === calls, `${calls} calls`);
    ok(job.account.unchargedSinceMs > 0, 'not for ever');
    isEngaged = false;
    await bench.pass(6_000);
    equal((await bench.look(id)).state, 'succeeded');
    await bench.stop();
  });

  for (const [by, call] of Object.entries(NESTED)) {
    test(`3 and 3 with retryInnerFailures in a job are 3 calls per attempt, ${by}`, async (subject) => {
      let calls = 0;
      const bench = makeBench(subject, {
        call: {
          policy: SIX_S,
          run: (_: null, context) =>
            call(subject.clock, context, async () => {
              calls += 1;
              throw new Error('down');
            }),
        },
      });
      const { id } = await bench.jobs.enqueue('call', null);
      await bench.start();
      equal(calls, 3);
      await bench.pass(6_000);
      equal(calls, 6);
      await bench.pass(6_000);
      deepEqual([calls, (await bench.look(id)).state], [9, 'dead']);
      await bench.stop();
    });
  }

  for (const allowed of [3, 8]) {
    test(`a call handed over with 4 of its 5 attempts used to a handler that allows ${allowed}: ${allowed} runs`, async (subject) => {
      let runs = 0;
      const policy = { ...SIX_S, maxAttempts: allowed };
      const bench = makeBench(subject, {
        send: {
          policy,
          run: async () => {
            runs += 1;
            throw new Error('still down');
          },
        },
      });
      await handOverAfterFour(subject, bench);
      const climbed = await bench.look('session-1');
      deepEqual([climbed.state, climbed.errorClass], ['scheduled', 'rate_limited']);
      const waiting = jobDocument(climbed);
      deepEqual(
        [waiting.attempts.length, waiting.omitted_attempts, waiting.last_error?.message],
        [4, 0, 'slow down'],
      );
      const waitMs = (climbed.dueAtMs ?? 0) - climbed.submittedAtMs;
      ok(waitMs >= 1_200_000 && waitMs <= 1_320_000, 'the hint is its first wait');
      equal(climbed.deadlineMs, climbed.submittedAtMs + 7_200_000 - 3_000, 'what its ttlMs leaves');

      await bench.start();
      await bench.pass(1_400_000 + allowed * 6_000);
      const job = await bench.look('session-1');
      deepEqual([job.state, job.reason, runs], ['dead', 'max_attempts_exceeded', allowed]);
      const all = 4 + allowed;
      const letter = deadLetterOf(job);
      deepEqual([letter.attempt_count, letter.redrive.omitted_attempts], [all, 0]);
      deepEqual(
        letter.redrive.attempts.map(({ attempt_number, rung }) => [attempt_number, rung]),
        Array.from({ length: all }, (_, at) => [at + 1, at < 4 ? 'call' : 'job']),
      );
      equal(letter.redrive.attempts[4]?.delay, waitMs / 1_000);
      const session = sessionDocument(job);
      equal(session?.total_attempts, all);
      deepEqual(
        session?.attempts.map(({ attempt_number }) => attempt_number),
        Array.from({ length: all }, (_, at) => at + 1),
      );
      for (const record of recordsOf(job)) {
        const event = toEventV1(record, { nextId: () => 'e' });
        if (event?.attempt !== undefined) ok(event.attempt <= (event.max_attempts ?? 0));
      }
      await bench.stop();
    });
  }

  test('an error that an inner session judged final is final for the job', async (subject) => {
    const inner = { ...THREE_AT_ONCE, nonRetryableExceptions: ['NoSuchUser'] };
    const missing = async () => {
      throw Object.assign(new Error('no such user'), { name: 'NoSuchUser' });
    };
    const bench = makeBench(subject, {
      call: { run: () => retry(missing, inner, { clock: subject.clock }), policy: SIX_S },
    });
    const { id } = await bench.jobs.enqueue('call', null);
    await bench.start();
    const job = await bench.look(id);
    deepEqual([job.state, job.reason, job.account.claims], ['dead', 'final_error', 1]);
    await bench.stop();
  });

  test('a job that waited half an hour in its queue has lost nothing of its ttlMs', async (subject) => {
    const fail = () => Promise.reject(new Error('down'));
    const bench = makeBench(subject, {
      call: { run: fail, policy: { ...SIX_S, ttlMs: 600_000 } },
    });
    const { id } = await bench.jobs.enqueue('call', null);
    await bench.pass(1_800_000);
    const startedAtMs = subject.clock.now();
    await bench.start();
    equal((await bench.look(id)).generationAtMs, startedAtMs);
    await bench.pass(12_000);
    const job = await bench.look(id);
    deepEqual([job.reason, job.account.entries.failed], ['max_attempts_exceeded', 3]);
    equal(job.generationAtMs, startedAtMs);
    await bench.stop();
  });

  test('currentAttempt() in a handler is the attempt of the job', async (subject) => {
    const seen: unknown[] = [];
    const bench = makeBench(subject, {
      call: {
        policy: SIX_S,
        run: async (_: null, context) => {
          await Promise.resolve();
          const current = currentAttempt();
          seen.push(current === context.parent);
          seen.push([current?.attempt, current?.maxAttempts, current?.sessionId, current?.inJob]);
          seen.push(current?.idempotencyKey === context.idempotencyKey);
          seen.push(current?.signal === context.signal);
        },
      },
    });
    const { id } = await bench.jobs.enqueue('call', null);
    await bench.start();
    deepEqual(seen, [true, [1, 3, id, true], true, true]);
    await bench.stop();
  });
}

type Call = (
  clock: FullStoreUnderTest['clock'],
  context: JobContext,
  down: () => Promise<void>,
) => Promise<void>;

const OUTER: Policy = { ...THREE_AT_ONCE, retryInnerFailures: true };

/** A retry in a retry in a handler. */
const NESTED: Readonly<Record<string, Call>> = {
  'by parent': (clock, { parent }, down) =>
    retry((outer) => retry(down, THREE_AT_ONCE, { clock, parent: outer }), OUTER, {
      clock,
      parent,
    }),
  'by @redrive/core/node': (clock, _, down) =>
    nodeRetry(() => nodeRetry(down, THREE_AT_ONCE, { clock }), OUTER, { clock }),
};

/** A call that fails four times, and is then rate-limited for 20 minutes. */
async function handOverAfterFour(
  { clock }: FullStoreUnderTest,
  { jobs, pass }: Pick<ReturnType<typeof makeBench>, 'jobs' | 'pass'>,
): Promise<void> {
  let calls = 0;
  const call = async () => {
    calls += 1;
    if (calls < 4) throw Object.assign(new Error('busy'), { status: 503 });
    const headers = { 'retry-after': '1200' };
    throw Object.assign(new Error('slow down'), { status: 429, headers });
  };
  const policy = { maxAttempts: 5, baseDelayMs: 1_000, backoff: 'fixed', jitter: 'none' } as const;
  const ended = retry(
    call,
    { ...policy, ttlMs: 7_200_000 },
    {
      clock,
      sessionId: 'session-1',
      handOver: { to: jobs.handOver, handler: 'send', payload: null },
    },
  ).catch((error: unknown) => error);
  await pass(3_000);
  ok(isRetryError(await ended, 'handed_over'));
}

export function makeBench<const H extends Handlers>(
  { store: inner, clock }: FullStoreUnderTest,
  handlers: H & CheckedHandlers<H>,
) {
  const { store, pass } = watchedStore(inner, clock);
  const jobs = jobsOn<H>(store, handlers, {
    clock,
    worker: 'w1',
    log: 'off',
    budgets: retryBudgets({ clock }),
  });
  return {
    jobs,
    pass,
    /** After the jobs are there: a notification of a new one comes when it likes. */
    async start(): Promise<void> {
      await jobs.start();
      await pass(1);
    },
    async look(id: string): Promise<Job> {
      const job = await inner.job(id);
      if (job === undefined) throw new RedriveError('job_not_found', `There is no job ${id}`);
      return job;
    },
    async stop(): Promise<void> {
      const stopped = jobs.stop({ mode: 'release' });
      await pass(1_000);
      await stopped;
    },
  };
}
