import { retry } from '@redrive/core';
import { seededRandom, virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { handleEventWithRetry } from '../event/handle-event.ts';
import { final } from '../handler/verdict.ts';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { auditSink } from './audit-sink.ts';
import { recordsIn } from './read-body.ts';
import { retryMetrics } from './retry-metrics.ts';

const START_MS = Date.parse('2026-01-29T12:00:00Z');
const ALL = { sinceMs: 0, untilMs: START_MS + 1e9 };

async function sample() {
  const clock = virtualClock({ startMs: START_MS });
  const store = memoryStore({ clock });
  const policy = { id: 'quick', maxAttempts: 3, baseDelayMs: 1_000, jitter: 'none' } as const;
  const jobs = jobsOn(
    store,
    {
      'browser.save': {
        policy,
        run: async (failures: number, { attempt }) => {
          if (attempt <= failures) throw new Error('connection reset');
        },
      },
      'navigation.route': { policy: { ...policy, id: 'other' }, run: () => final('no way') },
    },
    { clock, log: 'off' },
  );
  return { clock, store, jobs };
}

test('the metrics are those of the seed, field for field', async () => {
  const { clock, store, jobs } = await sample();
  await jobs.enqueueMany('browser.save', [0, 1, 9]);
  await jobs.enqueue('navigation.route', null);
  await jobs.start();
  for (let second = 0; second < 10; second += 1) await clock.advance(1_000);
  await jobs.stop();
  const events = auditSink(store, { clock });
  const options = { events, clock, operation: 'telemetry.batch' };
  const call = retry(
    ({ attempt }) => {
      if (attempt === 1) throw new Error('late');
    },
    { id: 'call', baseDelayMs: 500, jitter: 'none' },
    options,
  );
  await clock.advance(1_000);
  await call;
  const closing = events.close();
  await clock.advance(100);
  await closing;
  const window = { sinceMs: START_MS, untilMs: START_MS + 60_000 };
  const metrics = await retryMetrics(store, window);
  const whole = { sessions: 5, total_attempts: 9, success_rate: 3 / 5, average_attempts: 9 / 5 };
  expect(metrics).toEqual({
    time_window_start: '2026-01-29T12:00:00.000Z',
    time_window_end: '2026-01-29T12:01:00.000Z',
    total_sessions: 5,
    successful_sessions: 3,
    failed_sessions: 2,
    total_attempts: 9,
    average_attempts_per_session: 1.8,
    max_attempts_in_session: 3,
    total_duration: expect.closeTo(4.5, 1),
    average_duration_per_session: expect.closeTo(0.9, 1),
    by_policy: {
      call: { sessions: 1, total_attempts: 2, success_rate: 1, average_attempts: 2 },
      other: { sessions: 1, total_attempts: 1, success_rate: 0, average_attempts: 1 },
      quick: { sessions: 3, total_attempts: 6, success_rate: 2 / 3, average_attempts: 2 },
    },
    by_subsystem: {
      browser: { sessions: 3, total_attempts: 6, success_rate: 2 / 3, average_attempts: 2 },
      navigation: { sessions: 1, total_attempts: 1, success_rate: 0, average_attempts: 1 },
      telemetry: { sessions: 1, total_attempts: 2, success_rate: 1, average_attempts: 2 },
    },
    by_category: { '': whole },
    by_operation: {
      'browser.save': { sessions: 3, total_attempts: 6, success_rate: 2 / 3, average_attempts: 2 },
      'navigation.route': { sessions: 1, total_attempts: 1, success_rate: 0, average_attempts: 1 },
      'telemetry.batch': { sessions: 1, total_attempts: 2, success_rate: 1, average_attempts: 2 },
    },
    by_tenant: { '': whole },
    imported: { sessions: 0, windows: 0, window_sessions: 0, windows_left_out: 0 },
  });
  expect(await retryMetrics(store, { ...window, untilMs: START_MS })).toMatchObject({
    total_sessions: 0,
    average_attempts_per_session: 0,
    by_policy: {},
  });
});

test('a requeued session that ends again counts again, with its handler', async () => {
  const { clock, store, jobs } = await sample();
  const { id } = await jobs.enqueue('navigation.route', null);
  await jobs.start();
  await clock.advance(1_000);
  const actor = { name: 'eve' };
  await store.apply([{ kind: 'act', act: 'requeue', id, actor }]);
  for (let second = 0; second < 5; second += 1) await clock.advance(1_000);
  await jobs.stop();
  const all = await retryMetrics(store, { sinceMs: 0, untilMs: START_MS + 1e9 });
  expect(all.by_subsystem).toEqual({
    navigation: { sessions: 2, total_attempts: 2, success_rate: 0, average_attempts: 1 },
  });
});

test('attempts before a requeue count once: 3 failures and 1 success are 4', async () => {
  const { clock, store, jobs } = await sample();
  const { id } = await jobs.enqueue('browser.save', 9);
  await jobs.start();
  for (let second = 0; second < 5; second += 1) await clock.advance(1_000);
  const payload = { kind: 'json', text: '0' } as const;
  await store.apply([{ kind: 'act', act: 'requeue', id, actor: { name: 'eve' }, payload }]);
  await clock.advance(1_000);
  await jobs.stop();
  expect(await retryMetrics(store, ALL)).toMatchObject({
    total_sessions: 2,
    successful_sessions: 1,
    total_attempts: 4,
    max_attempts_in_session: 3,
  });
});

test('a cancelled job that is sent again counts', async () => {
  const { clock, store, jobs } = await sample();
  const { id } = await jobs.enqueue('browser.save', 0);
  await jobs.cancel(id);
  await jobs.retry(id);
  await jobs.start();
  await clock.advance(1_000);
  await jobs.stop();
  expect(await retryMetrics(store, ALL)).toMatchObject({ total_sessions: 1, total_attempts: 1 });
});

test.each(['without', 'with'] as const)(
  'an event that a consumer gave up counts once, %s a sink; messages that never ran do not',
  async (sink) => {
    const { clock, store, jobs } = await sample();
    const events = auditSink(store, { clock });
    const about = { jobs, handler: 'browser.save', source: 'browser', idempotencyKey: 'browser-1' };
    const fail = async () => {
      await new Promise<void>((resolve) => clock.setTimer(4_000, resolve));
      throw new Error('no way');
    };
    const once = { id: 'once', maxAttempts: 1 };
    const options = { ...about, clock, policy: once, ...(sink === 'with' ? { events } : {}) };
    const outcome = handleEventWithRetry(1, fail, options);
    await clock.advance(4_000);
    expect(await outcome).toBe('dead_lettered');
    const closing = events.close();
    await clock.advance(100);
    await closing;
    const [before] = await store.deadLetters({}, { limit: 1 }).then(({ jobs: found }) => found);
    const { account } = before ?? expect.fail('no dead letter');
    for (const [handler, reason] of [
      ['browser.save', 'invalid_message'],
      ['events.publish', 'max_attempts_exceeded'],
    ] as const) {
      const id = `${handler}-${reason}`;
      const named = { id, handler, queue: 'browser', sessionId: id, idempotencyKey: id };
      const rest = { tenant: '', priority: 0, tags: [], headers: {} };
      const job = { ...named, ...rest, payload: { kind: 'json', text: '1' } as const };
      const actor = { name: 'eve' };
      const letter = { account, dead: { reason }, actor, onConflict: 'existing' } as const;
      await store.apply([{ kind: 'enqueue', job, ...letter }]);
    }
    expect(await retryMetrics(store, ALL)).toMatchObject({
      total_sessions: 1,
      failed_sessions: 1,
      total_attempts: 1,
      total_duration: 4,
      by_subsystem: { browser: { sessions: 1, success_rate: 0, average_attempts: 1 } },
      by_policy: { once: { sessions: 1, success_rate: 0, average_attempts: 1 } },
    });
  },
);

test('a call that goes on as a job counts once, with the category of the call and all its attempts', async () => {
  const { clock, store, jobs } = await sample();
  const events = auditSink(store, { clock });
  await jobs.start();
  const limited = Object.assign(new Error('slow down'), { status: 429, retryAfterMs: 60_000 });
  const call = retry(
    () => Promise.reject(limited),
    { id: 'call', horizonMs: 1_000 },
    {
      ...{ clock, events, category: 'RETRY_NATS_PUBLISH' },
      handOver: { to: jobs.handOver, handler: 'browser.save', payload: 1 },
    },
  ).catch(({ reason }) => reason);
  for (let second = 0; second < 90; second += 1) await clock.advance(1_000);
  expect(await call).toBe('handed_over');
  await events.close();
  await jobs.stop();
  const { by_category, by_policy } = await retryMetrics(store, ALL);
  // The call ran once and the handler twice.
  const counted = { sessions: 1, total_attempts: 3, success_rate: 1, average_attempts: 3 };
  expect(by_category).toEqual({ RETRY_NATS_PUBLISH: counted });
  expect(by_policy).toEqual({ quick: counted });
});

test('a log that grows while it is read is read to its end at the start', async () => {
  const { store, jobs } = await sample();
  for (let count = 0; count < 150; count += 1) await jobs.enqueue('browser.save', 0);
  let pages = 0;
  const busy = {
    policy: store.policy,
    async auditBlocks(after: number, limit: number) {
      if (limit > 1 && ++pages > 9) throw new Error('it does not end');
      if (limit > 1)
        for (let count = 0; count < 100; count += 1) await jobs.enqueue('browser.save', 0);
      return store.auditBlocks(after, limit);
    },
  };
  expect(await retryMetrics(busy, ALL)).toMatchObject({ total_sessions: 0 });
  expect(pages).toBe(2);
});

test('a dimension has 1,000 names and _other for the rest, and no session is lost', async () => {
  const { clock, store } = await sample();
  const events = auditSink(store, { clock });
  const many = Array.from({ length: 1_200 }, (_, at) => `op${at}`);
  await Promise.all(many.map((operation) => retry(() => 1, {}, { clock, events, operation })));
  const closing = events.close();
  await clock.advance(1_000);
  await closing;
  const { by_operation, by_subsystem, total_sessions } = await retryMetrics(store, ALL);
  expect(total_sessions).toBe(many.length);
  expect(Object.keys(by_operation)).toHaveLength(1_001);
  for (const shares of [by_operation, by_subsystem])
    expect(shares._other?.sessions).toBe(many.length - 1_000);
});

test('with more unfinished jobs than it may remember it reads in parts, and answers the same', async () => {
  const { clock, store, jobs } = await sample();
  const random = seededRandom(3);
  const failures = Array.from({ length: 200 }, () => Math.floor(random() * 5));
  // A block each, so that the log has several pages.
  for (const count of failures) await jobs.enqueue('browser.save', count);
  await jobs.start();
  for (let second = 0; second < 30; second += 1) await clock.advance(1_000);
  await jobs.stop();
  const window = { sinceMs: 0, untilMs: START_MS + 1e6 };
  const whole = await retryMetrics(store, window);
  expect(whole.total_sessions).toBe(200);
  expect(await retryMetrics(store, { ...window, maxJobs: 20 })).toEqual(whole);
  // The same from the records themselves.
  const records = (await store.auditBlocks(0, 1_000)).flatMap((block) => recordsIn(block));
  const ended = records.filter(({ to }) => to === 'succeeded' || to === 'dead');
  expect(ended.reduce((sum, record) => sum + record.executions, 0)).toBe(whole.total_attempts);
});
