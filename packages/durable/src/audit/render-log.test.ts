import { type RetryRecord, retry, syncSink } from '@redrive/core';
import { recordProblems, sessionLog, toAuditV1, toEventV1 } from '@redrive/core/records';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { sessionDocument } from '../documents/records-of.ts';
import { handleEventWithRetry } from '../event/handle-event.ts';
import { final, retryAfter } from '../handler/verdict.ts';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import type { Store } from '../store/store.ts';
import { auditSink } from './audit-sink.ts';
import { newestSeq } from './blocks-back.ts';
import { importRecord } from './import-record.ts';
import { newestRecords } from './newest-records.ts';
import { RecordFilter } from './record-filter.ts';
import type { RecordFormat } from './record-format.ts';
import { LogRenderer } from './render-log.ts';

const START_MS = Date.parse('2026-01-29T12:00:00Z');
const POLICY = { id: 'quick', maxAttempts: 3, baseDelayMs: 1_500, jitter: 'none' } as const;

const timeout = (message: string) => Object.assign(new Error(message), { name: 'TimeoutError' });

/** Jobs and calls that succeed, recover, give up, are rate limited, cancelled and sent back. */
async function history() {
  const clock = virtualClock({ startMs: START_MS });
  const store = memoryStore({ clock });
  const live: RetryRecord[] = [];
  /** Each call of a handler or operation, as it happened: the independent count. */
  const ran: { readonly session: string; readonly generation: number }[] = [];
  const jobs = jobsOn(
    store,
    {
      'browser.save': {
        policy: POLICY,
        run: async (failures: number, { attempt, sessionId, generation }) => {
          ran.push({ session: sessionId, generation });
          if (attempt <= failures && generation === 1)
            throw timeout(`Operation timed out, ${attempt}`);
        },
      },
      limited: {
        policy: POLICY,
        run: (_: null, { attempt, sessionId, generation }) => {
          ran.push({ session: sessionId, generation });
          return attempt === 1 ? retryAfter(4_000, '429') : 'ok';
        },
      },
      hopeless: {
        policy: POLICY,
        run: (_: null, { sessionId, generation }) => {
          ran.push({ session: sessionId, generation });
          return final('no such file');
        },
      },
    },
    { clock, log: 'off', events: syncSink((record) => void live.push(record)) },
  );
  const wait = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) await clock.advance(1_000);
  };
  const about = { tenant: 'tenant-123', correlationId: 'corr-456', traceId: 'a'.repeat(32) };
  await jobs.enqueueMany('browser.save', [0, 1, 2]);
  const dead = await jobs.enqueue('browser.save', 9, about);
  await jobs.enqueue('limited', null);
  await jobs.enqueue('hopeless', null);
  const cancelled = await jobs.enqueue('browser.save', 0, { delayMs: 600_000 });
  await jobs.start();
  await wait(12);
  await jobs.cancel(cancelled.id);
  await jobs.retry(dead.id);
  await wait(3);
  await jobs.stop();

  const audit = auditSink(store, { clock });
  const log = sessionLog();
  const called: RetryRecord[] = [];
  const events = syncSink((record) => {
    called.push(record);
    audit.emit(record);
    log.emit(record);
  });
  for (const failures of [0, 1, 9]) {
    let calls = 0;
    const sessionId = `call-${failures}`;
    const done = retry(
      () => {
        calls += 1;
        ran.push({ session: sessionId, generation: 1 });
        if (calls <= failures) throw timeout(`late ${calls}`);
      },
      { ...POLICY, id: 'call' },
      { clock, events, sessionId, operation: 'save_state', category: 'RETRY_KV_PUT' },
    ).catch(() => {});
    await wait(8);
    await done;
  }
  const closing = audit.close();
  await wait(1);
  await closing;
  return { clock, store, live: [...live, ...called], ran, log };
}

async function rendered(store: Store, format: RecordFormat, events: readonly string[] = []) {
  const filter = new RecordFilter(store, { format, events });
  const place = { block: (await newestSeq(store)) + 1, index: 0 };
  const { found } = await newestRecords(store, filter, 1_000, place);
  const documents = await new LogRenderer(store, { format, events }).render(found.toReversed());
  return documents.map(({ document }) => document);
}

/** In an order of their own: workers write in batches. */
const sorted = (documents: readonly object[]) =>
  documents.map((each) => JSON.stringify(each)).sort();

test('audit/v1 of the log is what the sessions said while they ran, field for field', async () => {
  const { store, live } = await history();
  const documents = await rendered(store, 'audit/v1');
  expect(sorted(documents)).toEqual(sorted(live.flatMap((record) => toAuditV1(record) ?? [])));
  expect(Object.keys(Object(documents[0]))).toEqual([
    'event_type',
    'retry_category',
    'operation',
    'attempt_number',
    'max_attempts',
    'delay_seconds',
    'exception_type',
    'exception_message',
    'tenant_id',
    'correlation_id',
    'trace_id',
    'timestamp',
    'redrive',
  ]);
});

test('event/v1 of the log is what the sessions said while they ran, with ids of its own', async () => {
  const { store, live } = await history();
  const documents = await rendered(store, 'event/v1');
  const withoutId = (each: object) => ({ ...each, event_id: '' });
  const expected = live.flatMap((record) => toEventV1(record, { nextId: () => '' }) ?? []);
  expect(sorted(documents.map(withoutId))).toEqual(sorted(expected.map(withoutId)));
  expect(documents.flatMap((each) => recordProblems('event', each))).toEqual([]);
  const ids = documents.map((each) => ('event_id' in each ? each.event_id : ''));
  expect(new Set(ids).size).toBe(ids.length);
  expect(await rendered(store, 'event/v1')).toEqual(documents);
});

test('the numbers of retry_attempt and retry_exhausted are those of an independent count', async () => {
  const { store, ran } = await history();
  const lives = Map.groupBy(ran, ({ session, generation }) => `${session} ${generation}`);
  const retries = [...lives.values()].reduce((sum, { length }) => sum + length - 1, 0);
  expect(retries).toBeGreaterThan(5);
  expect(await rendered(store, 'event/v1', ['retry_attempt'])).toHaveLength(retries);
  expect(await rendered(store, 'audit/v1', ['retry_attempt'])).toHaveLength(retries);
  // One job without hope, one that was given up and sent back, and one call.
  expect(await rendered(store, 'audit/v1', ['retry_exhausted'])).toHaveLength(3);
  expect(await rendered(store, 'event/v1', ['retry_failure'])).toHaveLength(3);
});

test('session/v1 of the log is the session of the job, and of the call', async () => {
  const { store, log, ran } = await history();
  const documents = await rendered(store, 'session/v1');
  expect(documents.flatMap((each) => recordProblems('session', each))).toEqual([]);
  const { jobs } = await store.jobs({}, { limit: 100 });
  const ofJobs = await Promise.all(jobs.map(async ({ id }) => store.job(id)));
  const expected = [
    ...ofJobs.flatMap((job) => (job && sessionDocument(job)) ?? []),
    ...log.sessions(),
  ];
  // The job that was sent back ended twice.
  const byText = new Set(sorted(documents));
  for (const text of sorted(expected)) expect(byText).toContain(text);
  const attempts = documents.map((each) => ('total_attempts' in each ? each.total_attempts : 0));
  const newest = new Map(documents.map((each, at) => [Object(each).session_id, attempts[at]]));
  expect([...newest.values()].reduce((sum: number, each) => sum + Number(each), 0)).toBe(
    ran.length,
  );
});

test('a job that retention has deleted is rendered from the log alone', async () => {
  const { clock, store } = await history();
  const before = {
    audit: await rendered(store, 'audit/v1'),
    events: await rendered(store, 'event/v1'),
  };
  const gone: Store = { ...store, job: async () => undefined, finished: async () => [] };
  expect(await rendered(gone, 'audit/v1')).toEqual(before.audit);
  expect(await rendered(gone, 'event/v1')).toEqual(before.events);
  expect(clock.now()).toBeGreaterThan(START_MS);
});

test('imported records are shown in their own shape, and in no other', async () => {
  const store = memoryStore({ clock: virtualClock({ startMs: START_MS }) });
  const event = {
    event_id: 'evt_1',
    event_type: 'retry_attempt',
    timestamp: '2026-01-29T12:00:32.000Z',
    correlation_id: 'c',
    session_id: 's',
    policy_id: 'p',
    operation: 'save',
    attempt: 2,
    max_attempts: 3,
    delay: 1.5,
    component: 'retry_manager',
  };
  const times = { start_time: '2026-01-29T12:00:00Z', end_time: '2026-01-29T12:00:01Z' };
  const session = {
    session_id: 's',
    policy_id: 'p',
    operation: 'save',
    ...times,
    attempts: [
      { attempt_number: 1, timestamp: times.start_time, delay: 0, success: true, duration: 1 },
    ],
    success: true,
  };
  for (const document of [event, session]) {
    const record = importRecord(document, { name: 'eve' });
    if (!('note' in record)) throw new Error(record.join('; '));
    await store.apply([record.note]);
  }
  expect(await rendered(store, 'event/v1')).toEqual([
    { ...event, redrive: { schema_version: 'event/v1', imported: true } },
  ]);
  expect(await rendered(store, 'session/v1')).toMatchObject([{ ...session, total_attempts: 1 }]);
  expect(await rendered(store, 'audit/v1')).toEqual([]);
});

test('changes of breakers that workers share are events', async () => {
  const store = memoryStore({ clock: virtualClock({ startMs: START_MS }) });
  const note = JSON.stringify({ by: 'worker:w', act: 'open', was: 'closed', failures: 5 });
  await store.apply([{ kind: 'control', of: 'breaker', key: 'bank', expect: 0, note }]);
  expect(await rendered(store, 'event/v1')).toMatchObject([
    {
      event_type: 'circuit_breaker_opened',
      policy_id: 'bank',
      session_id: 'breaker:bank',
      redrive: { breaker: 'bank', from: 'closed', to: 'open', failure_count: 5 },
    },
  ]);
});

test('session/v1 has the sessions of events that were handled in place and then stored, with all attempts', async () => {
  const clock = virtualClock({ startMs: START_MS });
  const store = memoryStore({ clock });
  const jobs = jobsOn(
    store,
    { chunk: () => Promise.reject(timeout('late')) },
    { clock, log: 'off' },
  );
  await jobs.start();
  const handle = async (id: string, error: Error) => {
    const about = { jobs, handler: 'chunk', source: 'chunking', bus: 'main', idempotencyKey: id };
    const handled = handleEventWithRetry(1, () => Promise.reject(error), { ...about, clock });
    await clock.advance(2_000);
    return handled;
  };
  expect(await handle('chunking-1', new TypeError('a mistake'))).toBe('dead_lettered');
  expect(await handle('chunking-2', timeout('late'))).toBe('handed_over');
  for (let second = 0; second < 120; second += 1) await clock.advance(1_000);
  await jobs.stop();
  const { jobs: found } = await store.jobs({ states: ['dead'] }, { limit: 10 });
  const stored = await Promise.all(found.map(({ id }) => store.job(id)));
  const expected = stored.flatMap((job) => (job && sessionDocument(job)) ?? []);
  expect(expected.map(({ total_attempts }) => total_attempts).sort()).toEqual([1, 8]);
  expect(sorted(await rendered(store, 'session/v1'))).toEqual(sorted(expected));
});
