import { deepEqual, equal, ok } from 'node:assert/strict';
import { type RetryRecord, retryBudgets, syncSink } from '@redrive/core';
import { sessionLog, toAuditV1, toEventV1 } from '@redrive/core/records';
import { type FullStore, final, type JobContext, jobsOn, retryAfter } from '@redrive/durable';
import {
  LogRenderer,
  newestRecords,
  newestSeq,
  RecordFilter,
  type RecordWishes,
} from '@redrive/durable/store';
import type { VirtualClock } from '../../virtual-clock.ts';
import { watchedStore } from './idle-clock.ts';
import { pruneAll } from './prune.ts';
import type { FullStoreSuite, FullStoreUnderTest } from './suite.ts';

const POLICY = { id: 'quick', maxAttempts: 3, baseDelayMs: 1_500, jitter: 'none' } as const;
const LEASE_MS = 10_000;

/** What the calls of one job do, one after the other. Then they succeed. */
type Step = 'fail' | 'limit' | 'final' | 'slow' | 'until aborted';

interface Plan {
  readonly steps: readonly Step[];
}

const timeout = (message: string) => Object.assign(new Error(message), { name: 'TimeoutError' });

/** The log, rendered in the shapes of the data models, against what workers emitted and what their handlers counted. */
export function logDocumentTests({ test }: FullStoreSuite): void {
  test('audit/v1 and event/v1 of the log have what workers emitted for many jobs at once', async (subject) => {
    const { live, ran, givenBack } = await busyHistory(subject);
    const { store } = subject;
    const events = await rendered(store, 'event/v1');
    sameDocuments(
      await rendered(store, 'audit/v1'),
      live.flatMap((record) => toAuditV1(record) ?? []),
    );
    sameDocuments(
      events.map((event) => ({ ...event, event_id: '' })),
      live.flatMap((record) => toEventV1(record, { nextId: () => '' }) ?? []),
    );
    const ids = new Set(events.map((event) => ('event_id' in event ? event.event_id : '')));
    equal(ids.size, events.length, 'ids of events are unique');

    const calls = [...Map.groupBy(ran, (id) => id).values()].map(({ length }) => length);
    const retries = calls.reduce((sum, length) => sum + length - 1, 0);
    ok(retries > 200, `${retries} retries`);
    const again = await rendered(store, 'audit/v1', ['retry_attempt']);
    equal(again.length, retries, 'one event for each further call of a handler');
    // Attempts are numbered by claims: the first call of a job that was given back is its attempt 2.
    const started = await rendered(store, 'event/v1', ['retry_attempt']);
    equal(started.length, retries + givenBack);
  });

  test('session/v1 of the log has what workers emitted, also when the jobs are deleted', async (subject) => {
    const { live, ran } = await busyHistory(subject);
    const { store } = subject;
    const log = sessionLog();
    for (const record of live) log.emit(record);
    const sessions = await rendered(store, 'session/v1');
    sameDocuments(sessions, log.sessions());
    const attempts = sessions.map((each) => ('total_attempts' in each ? each.total_attempts : 0));
    const total = attempts.reduce((sum: number, each) => sum + Number(each), 0);
    equal(total, ran.length, 'each call of a handler is an attempt of a session');

    const audit = await rendered(store, 'audit/v1');
    const events = await rendered(store, 'event/v1');
    const { deleted } = await pruneAll(store);
    equal(deleted, new Set(ran).size + 1);
    sameDocuments(await rendered(store, 'audit/v1'), audit);
    sameDocuments(await rendered(store, 'event/v1'), events);
    // The record of a success has its end alone: without the job, its attempt lasts from the claim to the settlement.
    sameDocuments(
      (await rendered(store, 'session/v1')).map(withoutTimes),
      sessions.map(withoutTimes),
    );
  });
}

/**
 * A worker that goes silent with its jobs, and another one that takes over: jobs that succeed at once, recover, are rate
 * limited, give up, are hopeless, and are cancelled before and while they run.
 */
async function busyHistory({ store: inner, clock }: FullStoreUnderTest) {
  const { store, pass } = watchedStore(inner, clock);
  const live: RetryRecord[] = [];
  /** The job of each call of a handler. */
  const ran: string[] = [];
  const calls = new Map<string, number>();
  const run = async ({ steps }: Plan, { jobId, signal }: JobContext) => {
    const call = calls.get(jobId) ?? 0;
    calls.set(jobId, call + 1);
    ran.push(jobId);
    switch (steps[call]) {
      case 'fail':
        throw timeout(`Operation timed out, call ${call + 1}`);
      case 'limit':
        return retryAfter(4_000, '429');
      case 'final':
        return final('no such file');
      case 'slow':
        return sleep(clock, 700);
      case 'until aborted':
        return aborted(signal);
      default:
        return 'done';
    }
  };
  const events = syncSink((record) => void live.push(record));
  const budgets = retryBudgets({ clock });
  const options = { clock, log: 'off', events, budgets, leaseMs: LEASE_MS } as const;
  const handlers = { 'browser.save': { policy: POLICY, run } };

  const link = severable(store);
  const silent = jobsOn(link.store, handlers, { ...options, worker: 'silent', concurrency: 40 });
  const lost = Array.from({ length: 40 }, (_, n) => plan(...failures(n % 2), 'until aborted'));
  await silent.enqueueMany('browser.save', lost);
  await silent.start();
  await pass(5_000);
  link.cut();

  // Jobs without a duration let it claim ahead. It stops, and gives back most of the slow ones before their start.
  const early = jobsOn(store, handlers, { ...options, worker: 'early', concurrency: 1 });
  const slow = Array.from({ length: 100 }, (_, n) => plan(...(n < 50 ? [] : ['slow' as const])));
  await early.enqueueMany('browser.save', slow);
  await early.start();
  await pass(2_000);
  const released = early.stop({ mode: 'release' });
  await pass(1_000);
  await released;
  const { jobs: back } = await inner.jobs({ states: ['ready'] }, { limit: 1_000 });
  const givenBack = back.filter(({ token }) => token > 0).length;
  ok(givenBack > 20, `${givenBack} jobs were given back`);

  const worker = jobsOn(store, handlers, { ...options, worker: 'steady', concurrency: 60 });
  const plans = Array.from({ length: 40 }, (_, n) => [
    plan(),
    plan('fail'),
    plan('fail', n % 2 === 0 ? 'slow' : 'fail'),
    plan('fail', 'fail', 'fail'),
    plan(...(n % 3 === 0 ? (['limit', 'fail'] as const) : (['slow'] as const))),
    plan(n % 4 === 0 ? 'final' : 'fail', 'limit'),
  ]).flat();
  await worker.enqueueMany('browser.save', plans);
  const running = [];
  for (let n = 0; n < 5; n += 1) {
    const about = { tenant: `tenant-${n}`, correlationId: `corr-${n}`, traceId: 'a'.repeat(32) };
    running.push(await worker.enqueue('browser.save', plan('fail', 'until aborted'), about));
  }
  const waiting = await worker.enqueue('browser.save', plan(), { delayMs: 600_000 });
  await worker.start();
  await pass(12_000);
  for (const { id } of [...running, waiting]) await worker.cancel(id);
  await pass(1.5 * LEASE_MS);
  const stopped = worker.stop({ mode: 'release' });
  await pass(1_000);
  await stopped;
  const { groups } = await inner.counts();
  const left = groups.filter(({ state, count }) => count > 0 && !FINISHED.has(state));
  deepEqual(left, [], 'all jobs have ended');
  return { live, ran, givenBack };
}

const FINISHED: ReadonlySet<string> = new Set(['succeeded', 'cancelled', 'dead']);

const plan = (...steps: readonly Step[]): Plan => ({ steps });

const failures = (count: number): Step[] => Array<Step>(count).fill('fail');

function sleep(clock: VirtualClock, ms: number): Promise<string> {
  return new Promise((resolve) => clock.setTimer(ms, () => resolve('slept')));
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** A store whose calls get no answer, and have no effect, once its link is cut. */
function severable(inner: FullStore) {
  let isCut = false;
  const store = new Proxy(inner, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || name === 'watch' || name === 'takeSetAside') return value;
      return (...args: readonly unknown[]): unknown =>
        isCut ? new Promise(() => {}) : Reflect.apply(value, target, args);
    },
  });
  return {
    store,
    cut() {
      isCut = true;
    },
  };
}

/** A session without start and duration of successful attempts. */
function withoutTimes(session: object): object {
  const attempts = 'attempts' in session && Array.isArray(session.attempts) ? session.attempts : [];
  return {
    ...session,
    attempts: attempts.map((each) =>
      each.success === true ? { ...each, timestamp: '', duration: 0 } : each,
    ),
  };
}

/** All documents of the log, the oldest first. */
async function rendered(
  store: FullStore,
  format: NonNullable<RecordWishes['format']>,
  events: readonly string[] = [],
): Promise<readonly object[]> {
  const filter = new RecordFilter(store, { format, events });
  const end = { block: (await newestSeq(store)) + 1, index: 0 };
  const { found } = await newestRecords(store, filter, 10_000, end);
  const documents = await new LogRenderer(store, { format, events }).render(found.toReversed());
  return documents.map(({ document }) => document);
}

/** In any order: workers report in the order of their jobs, and the log has them in blocks. */
function sameDocuments(actual: readonly object[], expected: readonly object[]): void {
  const [has, wanted] = [texts(actual), texts(expected)];
  const [hasAll, wantedAll] = [new Set(has), new Set(wanted)];
  deepEqual(
    {
      missing: wanted.filter((text) => !hasAll.has(text)).slice(0, MAX_SHOWN),
      unexpected: has.filter((text) => !wantedAll.has(text)).slice(0, MAX_SHOWN),
      count: has.length,
    },
    { missing: [], unexpected: [], count: wanted.length },
  );
}

/** Documents that a failed test prints, of hundreds. */
const MAX_SHOWN = 3;

const texts = (documents: readonly object[]): string[] =>
  documents.map((document) => JSON.stringify(document)).sort();
