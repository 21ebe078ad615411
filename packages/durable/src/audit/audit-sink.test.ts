import { circuitBreaker, RedriveError, retry, syncSink } from '@redrive/core';
import { type VirtualClock, virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { handleEventWithRetry } from '../event/handle-event.ts';
import { jobsOn } from '../jobs/jobs-on.ts';
import { memoryStore } from '../memory/memory-store.ts';
import { auditSink } from './audit-sink.ts';
import { replaySession } from './replay.ts';
import { retryMetrics } from './retry-metrics.ts';
import { verifyAudit } from './verify.ts';

const clockAndStore = () => {
  const clock = virtualClock({ startMs: Date.UTC(2026, 0, 29, 12) });
  return { clock, store: memoryStore({ clock }) };
};

/** A call that fails so often before it works. */
async function call(
  clock: VirtualClock,
  sessionId: string,
  failures: number,
  events: ReturnType<typeof auditSink>,
): Promise<void> {
  let calls = 0;
  const done = retry(
    () => {
      calls += 1;
      if (calls <= failures) throw new Error(`token=abc, attempt ${calls}`);
      return 'done';
    },
    { id: 'calls', jitter: 'full', maxAttempts: 4 },
    { clock, events, sessionId },
  ).catch(() => {});
  await clock.advance(120_000);
  await done;
}

test('the decisions of sessions in process are in the log, and can be made again', async () => {
  const { clock, store } = clockAndStore();
  const sink = auditSink(store, { clock });
  await call(clock, 's-1', 2, sink);
  await call(clock, 's-2', 9, sink);
  await sink.close();
  const reader = await store.readAudit();
  const answer = await verifyAudit(reader);
  expect(answer.problems).toEqual([]);
  // Three attempts and four, and the ends of two sessions.
  expect([answer.decisions, answer.records]).toEqual([7, 9]);
  const replay = await replaySession(reader, 's-2');
  expect(replay).toMatchObject({ same: true, omitted: 0 });
  expect(replay.steps.map(({ decision }) => decision?.answer.reason)).toEqual([
    'retryable_error',
    'retryable_error',
    'retryable_error',
    'max_attempts_exceeded',
    undefined,
  ]);
  expect(replay.steps[0]?.decision).toMatchObject({ policyId: 'calls' });
  expect(JSON.stringify(replay)).not.toContain('abc');
});

test('a policy is registered once, and before the decisions that were made by it', async () => {
  const { clock, store } = clockAndStore();
  const order: string[] = [];
  const sink = auditSink(
    {
      registerPolicies: async (policies) => {
        order.push(`policies ${policies.length}`);
        await store.registerPolicies(policies);
      },
      apply: async (commands) => {
        order.push('notes');
        return store.apply(commands);
      },
    },
    { clock },
  );
  await call(clock, 's-1', 0, sink);
  await call(clock, 's-2', 0, sink);
  await sink.close();
  expect(order).toEqual(['policies 1', 'notes', 'notes']);
});

test('what the store does not take is counted, and noted when it is back', async () => {
  const { clock, store } = clockAndStore();
  let away = true;
  const sink = auditSink(
    {
      registerPolicies: (policies) => store.registerPolicies(policies),
      apply: async (commands) => {
        if (away) throw new RedriveError('store_unavailable', 'away');
        return store.apply(commands);
      },
    },
    { clock },
  );
  await call(clock, 's-1', 0, sink);
  away = false;
  await call(clock, 's-2', 0, sink);
  await sink.close();
  expect(sink.totalDropped).toBe(3);
  const blocks = await store.auditBlocks(0, 10);
  expect(blocks[0]?.body).toContain('["dropped",0,"session"');
  expect(blocks[0]?.body).toContain('{"kind":"dropped","dropped":3}');
  expect((await verifyAudit(await store.readAudit())).ok).toBe(true);
});

test('a sink of jobs writes no second record of them: 3 jobs and 1 call are 4 sessions', async () => {
  const { clock, store } = clockAndStore();
  const sink = auditSink(store, { clock });
  const jobs = jobsOn(store, { mail: () => 'sent' }, { clock, log: 'off', events: sink });
  await jobs.enqueueMany('mail', [1, 2, 3]);
  await jobs.start();
  await call(clock, 'a call', 1, sink);
  const stopped = jobs.stop();
  await clock.advance(60_000);
  await stopped;
  await sink.close();
  const untilMs = clock.now() + 1;
  const metrics = await retryMetrics(store, { sinceMs: 0, untilMs });
  expect([metrics.total_sessions, metrics.total_attempts]).toEqual([4, 5]);
  expect((await verifyAudit(await store.readAudit())).problems).toEqual([]);
});

test('the log knows the policy of an event in place, and of records that another sink hands on', async () => {
  const { clock, store } = clockAndStore();
  const sink = auditSink(store, { clock });
  const jobs = jobsOn(store, { chunk: () => 'done' }, { clock, log: 'off' });
  const about = { jobs, handler: 'chunk', source: 'chunking', idempotencyKey: 'chunking-1' };
  expect(await handleEventWithRetry(1, () => 1, { ...about, clock, events: sink })).toBe('handled');
  const both = syncSink((record) => sink.emit(record));
  await retry(
    () => 'done',
    {},
    { clock, events: Object.assign(both, { hashPolicy: sink.hashPolicy }) },
  );
  await sink.close();
  const { problems, decisions } = await verifyAudit(await store.readAudit());
  expect({ problems, decisions }).toEqual({ problems: [], decisions: 2 });
});

test('a breaker that no session moved has a subject of its own', async () => {
  const { clock, store } = clockAndStore();
  const sink = auditSink(store, { clock });
  const breaker = circuitBreaker({ key: 'api', threshold: 1, clock, events: sink });
  await retry(() => Promise.reject(new Error('no')), { maxAttempts: 1 }, { breaker, clock }).catch(
    () => {},
  );
  await sink.close();
  const [block] = await store.auditBlocks(0, 1);
  expect(block?.body).toContain('["breaker:api",0,"session"');
});

test('wrong options are refused', () => {
  expect(() => auditSink(memoryStore(), { maxBatch: 0 })).toThrow(
    expect.objectContaining({ code: 'invalid_option' }),
  );
});
