import { retry } from '@redrive/core';
import { seededRandom, virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import { METRICS_1_0_0, SESSION_1_0_0 } from '../testing/version-1.0.0.ts';
import { auditSink } from './audit-sink.ts';
import { importRecord } from './import-record.ts';
import { MetricsWindows } from './imported-metrics.ts';
import { retryMetrics } from './retry-metrics.ts';

const METRICS = METRICS_1_0_0;
const SESSION = SESSION_1_0_0;

const at = (time: string) => Date.parse(time);
const JANUARY = { sinceMs: at('2026-01-29T00:00:00Z'), untilMs: at('2026-01-30T00:00:00Z') };

function setUp() {
  const clock = virtualClock({ startMs: at('2026-03-01T00:00:00Z') });
  const store = memoryStore({ clock });
  const add = async (...documents: readonly object[]) => {
    for (const document of documents) {
      const record = importRecord(document, { name: 'eve' });
      if (!('note' in record)) throw new Error(record.join('; '));
      await store.apply([record.note]);
    }
  };
  return { clock, store, add };
}

test('imported sessions of January count in January, and in no window of March', async () => {
  const { store, add } = setUp();
  await add(SESSION);
  const { attempts } = SESSION;
  expect(await retryMetrics(store, JANUARY)).toMatchObject({
    total_sessions: 1,
    successful_sessions: 1,
    total_attempts: attempts.length,
    max_attempts_in_session: attempts.length,
    total_duration: 35.5,
    by_policy: { [SESSION.policy_id]: { sessions: 1, success_rate: 1, average_attempts: 2 } },
    imported: { sessions: 1, windows: 0, window_sessions: 0, windows_left_out: 0 },
  });
  const march = { sinceMs: at('2026-02-28T00:00:00Z'), untilMs: at('2026-03-02T00:00:00Z') };
  expect(await retryMetrics(store, march)).toMatchObject({ total_sessions: 0 });
});

test('the figures of a thousand imported sessions are those of an independent count, hour by hour', async () => {
  const { store, add } = setUp();
  const random = seededRandom(11);
  const startMs = JANUARY.sinceMs;
  const sessions = Array.from({ length: 1_000 }, (_, number) => {
    const start = startMs + Math.floor(random() * 86_400_000);
    const count = 1 + Math.floor(random() * 3);
    const success = random() < 0.8;
    const end = start + count * 1_000;
    const attempts = Array.from({ length: count }, (__, index) => ({
      attempt_number: index + 1,
      timestamp: new Date(start + index * 1_000).toISOString(),
      delay: index === 0 ? 0 : 0.5,
      success: success && index === count - 1,
      duration: 0.5,
    }));
    const times = {
      start_time: new Date(start).toISOString(),
      end_time: new Date(end).toISOString(),
    };
    const policy_id = `policy_${number % 3}`;
    return { session_id: `s${number}`, policy_id, operation: 'save', ...times, attempts, success };
  });
  await add(...sessions);
  for (let hour = 0; hour < 24; hour += 1) {
    const window = {
      sinceMs: startMs + hour * 3_600_000,
      untilMs: startMs + (hour + 1) * 3_600_000,
    };
    const own = sessions.filter(({ end_time }) => {
      const endMs = Date.parse(end_time);
      return endMs >= window.sinceMs && endMs < window.untilMs;
    });
    const metrics = await retryMetrics(store, window);
    expect(metrics.total_sessions).toBe(own.length);
    expect(metrics.successful_sessions).toBe(own.filter(({ success }) => success).length);
    expect(metrics.total_attempts).toBe(
      own.reduce((sum, { attempts }) => sum + attempts.length, 0),
    );
    for (const policy of ['policy_0', 'policy_1', 'policy_2']) {
      const count = own.filter(({ policy_id }) => policy_id === policy).length;
      expect(metrics.by_policy[policy]?.sessions).toBe(count);
    }
  }
});

test('a session without an end counts only if its result is known', async () => {
  const { store, add } = setUp();
  const { end_time: _end, final_result: _result, ...open } = SESSION;
  const error = { type: 'TimeoutError', message: 'late' };
  await add(
    { ...open, session_id: 'running', success: false },
    { ...open, session_id: 'failed', success: false, final_error: error },
  );
  expect(await retryMetrics(store, JANUARY)).toMatchObject({
    total_sessions: 1,
    failed_sessions: 1,
  });
});

test('imported metrics of a window without records are the metrics of that window', async () => {
  const { store, add } = setUp();
  await add(METRICS);
  const {
    time_window_start: _start,
    time_window_end: _end,
    by_policy,
    by_subsystem,
    ...all
  } = METRICS;
  const found = await retryMetrics(store, JANUARY);
  expect(found).toMatchObject({
    ...all,
    imported: { sessions: 0, windows: 1, window_sessions: 1_000, windows_left_out: 0 },
  });
  for (const [shares, own] of [
    [found.by_policy, by_policy],
    [found.by_subsystem, by_subsystem],
  ]) {
    expect(Object.keys(Object(shares))).toEqual(Object.keys(Object(own)).sort());
    for (const [name, share] of Object.entries(Object(own)))
      expect(Object(shares)[name]).toMatchObject(Object(share));
  }
});

test('a window that is partly outside, or in which a session ended, is left out and counted', async () => {
  const { store, add } = setUp();
  await add(METRICS);
  const noon = { ...JANUARY, untilMs: at('2026-01-29T12:00:00Z') };
  expect(await retryMetrics(store, noon)).toMatchObject({
    total_sessions: 0,
    imported: { windows: 0, windows_left_out: 1 },
  });
  const next = { sinceMs: JANUARY.untilMs, untilMs: JANUARY.untilMs + 1_000 };
  expect(await retryMetrics(store, next)).toMatchObject({ imported: { windows_left_out: 0 } });
  await add(SESSION);
  for (const maxJobs of [200_000, 0]) {
    expect(await retryMetrics(store, { ...JANUARY, maxJobs })).toMatchObject({
      total_sessions: 1,
      imported: { sessions: 1, windows: 0, window_sessions: 0, windows_left_out: 1 },
    });
  }
});

test('a window that begins right after a session, in the same minute, is counted', async () => {
  const { store, add } = setUp();
  await add(SESSION, {
    ...METRICS,
    time_window_start: '2026-01-29T12:00:35.501Z',
    time_window_end: '2026-01-29T12:01:35.501Z',
  });
  expect(await retryMetrics(store, JANUARY)).toMatchObject({
    total_sessions: 1_001,
    imported: { sessions: 1, windows: 1 },
  });
});

test('metrics of the present are left out where calls of this store ended', async () => {
  const { clock, store, add } = setUp();
  const events = auditSink(store, { clock });
  await retry(() => 'ok', { id: 'save' }, { clock, events });
  const closing = events.close();
  await clock.advance(100);
  await closing;
  const [from, to] = ['2026-03-01T00:00:00Z', '2026-03-01T01:00:00Z'];
  await add({ ...METRICS, time_window_start: from, time_window_end: to });
  expect(await retryMetrics(store, { sinceMs: at(from), untilMs: at(to) })).toMatchObject({
    total_sessions: 1,
    imported: { windows: 0, windows_left_out: 1 },
  });
});

test('metrics that contradict themselves, or of less than a minute, are refused', () => {
  const problems = (fields: object) => importRecord({ ...METRICS, ...fields }, { name: 'eve' });
  expect(problems({ failed_sessions: 51 })).toEqual([
    'failed_sessions must be total_sessions - successful_sessions, not 51',
  ]);
  expect(problems({ time_window_end: '2026-01-29T00:00:59Z' })).toEqual([
    'its time window is shorter than a minute',
  ]);
  const many = Object.fromEntries(
    Array.from({ length: 1_001 }, (_, n) => [`p${n}`, METRICS.by_policy.browser_state_timeout]),
  );
  expect(problems({ by_policy: many })).toEqual(['by_policy has more than 1,000 entries']);
});

test('windows may touch, but not overlap', () => {
  const windows = new MetricsWindows();
  expect(windows.add([100, 200])).toBeUndefined();
  expect(windows.add([300, 400])).toBeUndefined();
  expect(windows.add([200, 300])).toBeUndefined();
  expect(windows.add([150, 160])).toEqual([100, 200]);
  expect(windows.add([50, 101])).toEqual([100, 200]);
  expect(windows.add([399, 500])).toEqual([300, 400]);
  expect(windows.add([0, 1_000])).toEqual([100, 200]);
  expect(windows.add([400, 500])).toBeUndefined();
});
