import { type ReasonCode, type RetryRecord, retry } from '@redrive/core';
import { RetryCategory, RetryManager } from '@redrive/core/manager';
import { openAccount } from '@redrive/core/stored';
import { jobsOn, memoryStore } from '@redrive/durable';
import { engageKill, forceBreaker, pauseWork } from '@redrive/durable/control';
import { deadLetterOf } from '@redrive/durable/dead-letters';
import { virtualClock } from '@redrive/testkit';
import { leakedSecrets, PLANTED_SECRETS } from '@redrive/testkit/conformance/secrets';
import { expect, onTestFinished, test } from 'vitest';
import { catalogue } from './catalogue/catalogue.ts';
import { deadLetterLabel } from './observe/result-of.ts';
import { type TelemetryOptions, telemetry } from './telemetry.ts';

const QUICK = { maxAttempts: 3, baseDelayMs: 1_000, jitter: 'none' } as const;

function setUp(options: TelemetryOptions = {}) {
  const clock = virtualClock({ startMs: Date.parse('2026-01-29T12:00:00Z') });
  const store = memoryStore({ clock });
  const metrics = telemetry({ clock, store, ...options });
  onTestFinished(() => metrics.close());
  /** Samples of metrics whose line begins like this. */
  const lines = async (start = '') => {
    const { body } = await metrics.scrape();
    return body.split('\n').filter((line) => line.startsWith(start) && !line.startsWith('#'));
  };
  return { clock, store, metrics, lines };
}

type SetUp = ReturnType<typeof setUp>;

/** A worker with two handlers: `mail` succeeds in its third attempt, `import` never. */
function workerOf({ store, clock, metrics }: SetUp) {
  const { events, onNotice } = metrics;
  return jobsOn(
    store,
    {
      mail: {
        policy: { id: 'quick', ...QUICK },
        run: async (_: unknown, { attempt }) => {
          if (attempt < 3) throw new Error('connection reset');
        },
      },
      import: {
        policy: { id: 'quick', ...QUICK },
        run: async (_: unknown) => {
          throw new Error('no such file');
        },
      },
    },
    { clock, events, onNotice },
  );
}

async function seconds({ clock }: SetUp, count: number): Promise<void> {
  for (let second = 0; second < count; second++) await clock.advance(1_000);
}

test('two lines, and a worker counts operations, attempts, retries, refusals and dead letters', async () => {
  const all = setUp();
  const jobs = workerOf(all);
  await jobs.enqueue('mail', null);
  await jobs.enqueue('import', null);
  await jobs.start();
  await seconds(all, 10);
  await jobs.stop();
  const counted = (await all.lines('redrive_')).filter((line) => / [1-9]/.test(line));
  expect(counted).toEqual(
    expect.arrayContaining([
      'redrive_operations_total{operation="mail",result="recovered"} 1',
      'redrive_operations_total{operation="import",result="exhausted"} 1',
      'redrive_attempts_total{operation="mail",entry="succeeded"} 1',
      'redrive_attempts_total{operation="mail",entry="failed"} 2',
      'redrive_attempts_total{operation="import",entry="failed"} 3',
      'redrive_retries_total{operation="mail"} 2',
      'redrive_retries_total{operation="import"} 2',
      'redrive_refusals_total{operation="import",cause="max_attempts_exceeded"} 1',
      'redrive_attempt_duration_seconds_count{operation="import"} 3',
      'redrive_operation_attempts_bucket{rung="job",le="3"} 2',
      'redrive_retry_delay_seconds_sum{rung="job"} 6',
      'redrive_dead_letters_added_total{operation="import",reason="max_attempts"} 1',
      'redrive_notices_total{kind="started"} 1',
      'redrive_store_up 1',
      'redrive_jobs{operation="import",state="dead"} 1',
      'redrive_dead_letters 1',
    ]),
  );
});

test.each([true, false])(
  'without an SDK, starts of attempts are not asked for (traces: %s)',
  async (traces) => {
    const all = setUp({ traces });
    const { events } = all.metrics;
    const kinds: string[] = [];
    const emit = (record: RetryRecord) => {
      kinds.push(record.kind);
      events.emit(record);
    };
    const handlers = { mail: { policy: QUICK, run: async () => {} } };
    const jobs = jobsOn(all.store, handlers, {
      clock: all.clock,
      events: { ...events, emit },
      onNotice: () => {},
    });
    await jobs.start();
    await jobs.enqueue('mail', null);
    await all.clock.advance(1_000);
    await jobs.stop();
    expect(kinds).toEqual(['attempt_ended', 'session_ended']);
    expect(await all.lines('redrive_operation_attempts_count{rung="job"}')).toEqual([
      'redrive_operation_attempts_count{rung="job"} 1',
    ]);
  },
);

test('known series are 0 from the start', async () => {
  const { lines } = setUp({ names: { operations: ['mail'], services: ['chunking'] } });
  const all = await lines();
  expect(all).toEqual(
    expect.arrayContaining([
      'redrive_operations_total{operation="mail",result="exhausted"} 0',
      'redrive_attempt_duration_seconds_count{operation="mail"} 0',
      'event_retry_dlq_total{service="chunking",reason="ttl_exceeded"} 0',
      'event_retry_success_total{service="chunking",attempt="25"} 0',
      'redrive_kill_switches_engaged{scope="all"} 0',
      'redrive_queue_jobs{queue="default",state="ready"} 0',
      'redrive_jobs{operation="mail",state="leased"} 0',
      'redrive_notices_total{kind="seal_failed"} 0',
    ]),
  );
  // Times that are not known have no series; metrics without a source do not exist.
  expect(all.filter((line) => /oldest|opens|retry_job_(?!runs_total)|config_/.test(line))).toEqual(
    [],
  );
});

test('a worker that starts makes its handlers known, with series that are 0', async () => {
  const all = setUp();
  const jobs = workerOf(all);
  await jobs.start();
  await jobs.stop();
  expect(await all.lines('redrive_retries_total')).toEqual([
    'redrive_retries_total{operation="mail"} 0',
    'redrive_retries_total{operation="import"} 0',
  ]);
});

test('times, not ages', async () => {
  const all = setUp();
  const jobs = workerOf(all);
  await jobs.enqueue('mail', null);
  all.clock.tick(60_000);
  const atSeconds = Date.parse('2026-01-29T12:00:00Z') / 1_000;
  expect(await all.lines('redrive_oldest')).toEqual([
    `redrive_oldest_ready_job_timestamp_seconds ${atSeconds}`,
  ]);
});

test('100,000 hostile operation names stay within 200 values', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `op${index}`);
  const { metrics, lines } = setUp({ names: { operations: names } });
  for (let index = 0; index < 100_000; index += 1) {
    metrics.events.emit(ended({ operation: `op${index}`, traceId: `t${index}` }));
  }
  const operations = new Map<string, Set<string>>();
  for (const line of await lines()) {
    const [, metric = '', operation] = /^(\w+)\{operation="([^"]*)"/.exec(line) ?? [];
    if (operation === undefined) continue;
    operations.set(metric, (operations.get(metric) ?? new Set()).add(operation));
  }
  expect(operations.size).toBeGreaterThan(5);
  for (const values of operations.values()) {
    values.delete('_other');
    expect(values.size).toBeLessThanOrEqual(200);
  }
  expect(await lines('redrive_label_overflow_total{label="operation"}')).toEqual([
    'redrive_label_overflow_total{label="operation"} 99800',
  ]);
  expect(await lines('redrive_operations_total{operation="_other",result="first_try"}')).toEqual([
    'redrive_operations_total{operation="_other",result="first_try"} 99800',
  ]);
});

test('hostile names of services, queues, dependencies, categories and tenants stay out of labels', async () => {
  const all = setUp();
  const { metrics, store, clock, lines } = all;
  const noise = (index: number) => `hostile-${index}\n"}`;
  for (let index = 0; index < 1_000; index += 1) {
    const context = { rung: 'event', source: noise(index), generation: 1 };
    metrics.events.emit(ended({ operation: 'x', category: noise(index), context }));
  }
  const change = { atMs: 0, from: 'closed', to: 'open', failureCount: 1 } as const;
  metrics.events.emit({ kind: 'breaker_changed', key: noise(1), ...change });
  await jobsOn(store, { x: () => 1 }, { clock }).enqueue('x', null, {
    queue: 'hostile',
    tenant: 'hostile',
  });
  await engageKill(store, { scope: 'tenant', name: 'hostile', actor: { name: 'eve' } });
  expect((await lines()).filter((line) => line.includes('hostile'))).toEqual([]);
});

test('the label attempt stops at 25', async () => {
  const { metrics, lines } = setUp({ names: { services: ['chunking'] } });
  const context = { rung: 'event', source: 'chunking', generation: 1 };
  for (const totalAttempts of [1, 2, 24, 25, 26, 400]) {
    metrics.events.emit(ended({ operation: 'chunk', context }, { totalAttempts }));
  }
  const counted = (await lines('event_retry_success_total')).filter((line) => !line.endsWith(' 0'));
  // The first attempt is no retry.
  expect(counted).toEqual([
    'event_retry_success_total{service="chunking",attempt="2"} 1',
    'event_retry_success_total{service="chunking",attempt="24"} 1',
    'event_retry_success_total{service="chunking",attempt="25"} 3',
  ]);
  expect(await lines('event_retry_attempt_count_count')).toEqual([
    'event_retry_attempt_count_count{service="chunking"} 6',
  ]);
});

test('reasons of dead letters are those of their envelopes', async () => {
  const { store } = setUp();
  for (const reason of Object.keys(catalogue.reasonCodes)) {
    const spec = { id: reason, handler: 'x', queue: 'default', tenant: '', priority: 0, tags: [] };
    const payload = { kind: 'json', text: '{}' } as const;
    const job = { ...spec, headers: {}, payload, sessionId: reason, idempotencyKey: reason };
    // The keys of the table of reason codes.
    const dead = { reason: reason as ReasonCode };
    const rest = { account: openAccount(), dead, actor: { name: 't' } };
    await store.apply([{ kind: 'enqueue', job, onConflict: 'existing', ...rest }]);
    const stored = (await store.job(reason)) ?? expect.fail('no job');
    expect([reason, deadLetterLabel(dead.reason)]).toEqual([
      reason,
      deadLetterOf(stored).redrive.metric_reason,
    ]);
  }
});

test('breakers are one-hot; a pause is no kill switch', async () => {
  const { store, lines } = setUp({ names: { dependencies: ['bank'] } });
  const actor = { name: 'eve' };
  await forceBreaker(store, { dependency: 'bank', state: 'open', actor });
  await pauseWork(store, { scope: 'queue', name: 'mail', actor });
  const shown = await lines();
  expect(
    shown.filter((line) => /^redrive_(breaker_(state|forced)|pauses|kill)/.test(line)),
  ).toEqual([
    'redrive_breaker_state{dependency="bank",state="closed"} 0',
    'redrive_breaker_state{dependency="bank",state="open"} 1',
    'redrive_breaker_state{dependency="bank",state="half_open"} 0',
    'redrive_breaker_forced{dependency="bank",state="closed"} 0',
    'redrive_breaker_forced{dependency="bank",state="open"} 1',
    'redrive_breaker_forced{dependency="bank",state="half_open"} 0',
    'redrive_kill_switches_engaged{scope="all"} 0',
    'redrive_kill_switches_engaged{scope="queue"} 0',
    'redrive_kill_switches_engaged{scope="operation"} 0',
    'redrive_kill_switches_engaged{scope="tenant"} 0',
    'redrive_kill_switches_engaged{scope="schedule"} 0',
    'redrive_pauses{scope="all"} 0',
    'redrive_pauses{scope="queue"} 1',
    'redrive_pauses{scope="operation"} 0',
    'redrive_pauses{scope="tenant"} 0',
    'redrive_pauses{scope="schedule"} 0',
  ]);
});

test('calls in process: running, ended, per category', async () => {
  const { clock, metrics, lines } = setUp({
    names: { operations: ['save'], categories: ['RETRY_KV_GET'] },
  });
  const options = { clock, events: metrics.events, operation: 'save', category: 'RETRY_KV_GET' };
  const call = retry(
    ({ attempt }) => {
      if (attempt === 1) throw new Error('connection reset');
    },
    QUICK,
    options,
  );
  await clock.advance(1);
  expect(await lines('redrive_calls_running')).toEqual(['redrive_calls_running 1']);
  await clock.advance(1_000);
  await call;
  const shown = await lines('redrive_');
  expect(shown).toEqual(
    expect.arrayContaining([
      'redrive_calls_running 0',
      'redrive_category_attempts_total{category="RETRY_KV_GET"} 2',
      'redrive_category_operations_total{category="RETRY_KV_GET",result="recovered"} 1',
      'redrive_category_exhausted_total{category="RETRY_KV_GET"} 0',
      'redrive_operation_attempts_bucket{rung="call",le="2"} 1',
    ]),
  );
});

test('without names, built-in and configured categories are known; _other is for what is beyond the limit', async () => {
  const { clock, metrics, lines } = setUp();
  const zeros = ['none', ...Object.values(RetryCategory)].map(
    (category) => `redrive_category_attempts_total{category="${category}"} 0`,
  );
  expect((await lines('redrive_category_attempts_total')).toSorted()).toEqual(zeros.toSorted());
  const categories = { RETRY_SEARCH_QUERY: { maxAttempts: 2 } };
  const manager = new RetryManager({ clock, events: metrics.events, categories });
  const codes = [...Object.values(RetryCategory), 'RETRY_SEARCH_QUERY'];
  const calls = new Map<string, number>();
  const run = (category: string) => () => {
    calls.set(category, (calls.get(category) ?? 0) + 1);
    throw new Error('connection reset');
  };
  const work = codes.map((code) =>
    manager.executeWithRetry(code, 'work', run(code)).catch(() => 1),
  );
  for (let second = 0; second < 120; second++) await clock.advance(1_000);
  await Promise.all(work);
  const attempts = await lines('redrive_category_attempts_total');
  const truth = [...calls].map(
    ([category, count]) => `redrive_category_attempts_total{category="${category}"} ${count}`,
  );
  expect(truth).toHaveLength(18);
  expect(attempts.toSorted()).toEqual(
    [...truth, 'redrive_category_attempts_total{category="none"} 0'].toSorted(),
  );
  // 18 and "none" are known, so 181 others are, and 119 are beyond the limit.
  for (let at = 0; at < 300; at++)
    metrics.events.emit(ended({ operation: 'x', category: `RETRY_OWN_${at}` }));
  const results = await lines('redrive_category_operations_total');
  const first = results.filter((line) => / [1-9]/.test(line) && line.includes('first_try'));
  expect(first).toHaveLength(182);
  expect(first.at(-1)).toBe(
    'redrive_category_operations_total{category="_other",result="first_try"} 119',
  );
  expect(await lines('redrive_label_overflow_total{label="category"}')).toEqual([
    'redrive_label_overflow_total{label="category"} 119',
  ]);
});

test('retries of a category, and the threshold of each: that of redrive.yaml, or its own', async () => {
  const { clock, metrics, lines } = setUp({ configuration: true });
  metrics.retryThresholds({ retriesPerMinute: 50, categories: { RETRY_KV_GET: 600 } });
  let failures = 0;
  const fail = () => {
    failures += 1;
    throw new Error('connection reset');
  };
  const options = { clock, events: metrics.events };
  const policy = { ...QUICK, maxAttempts: 4 };
  const calls = [
    retry(fail, policy, { ...options, category: 'RETRY_KV_GET' }).catch(() => 1),
    retry(fail, policy, options).catch(() => 1),
  ];
  for (let second = 0; second < 60; second++) await clock.advance(1_000);
  await Promise.all(calls);
  expect(failures).toBe(8);
  const retries = (await lines('redrive_category_retries_total')).filter(
    (line) => !/ 0$/.test(line),
  );
  // The last failure of each is followed by no attempt.
  expect(retries.toSorted()).toEqual([
    'redrive_category_retries_total{category="RETRY_KV_GET"} 3',
    'redrive_category_retries_total{category="none"} 3',
  ]);
  const thresholds = await lines('redrive_retries_per_minute_threshold');
  expect(thresholds).toHaveLength(19);
  for (const [category, value] of [
    ['RETRY_KV_GET', 600],
    ['RETRY_KV_PUT', 50],
    ['none', 50],
    ['_other', 50],
  ])
    expect(thresholds).toContain(
      `redrive_retries_per_minute_threshold{category="${category}"} ${value}`,
    );
  metrics.retryThresholds({ retriesPerMinute: 70, categories: {} });
  expect(await lines('redrive_retries_per_minute_threshold{category="RETRY_KV_GET"}')).toEqual([
    'redrive_retries_per_minute_threshold{category="RETRY_KV_GET"} 70',
  ]);
});

test('50 planted secrets: none found in metrics', async () => {
  const all = setUp();
  const { store, clock, metrics } = all;
  const { events, onNotice } = metrics;
  const secretOf = (index: number) => PLANTED_SECRETS[index] ?? expect.fail('no secret');
  const plant = async (index: number) => {
    const { text, secret } = secretOf(index);
    throw Object.assign(new Error(text(secret)), { name: secret });
  };
  const jobs = jobsOn(
    store,
    { plant: { policy: { ...QUICK, maxAttempts: 2 }, run: plant } },
    { clock, events, onNotice },
  );
  expect(PLANTED_SECRETS.length).toBeGreaterThan(50);
  for (const [index, { secret, text }] of PLANTED_SECRETS.entries()) {
    const named = { operation: secret, category: secret, dependency: secret, traceId: secret };
    await jobs.enqueue('plant', index, { queue: `q ${index}`, traceId: secret.slice(0, 50) });
    metrics.events.emit(ended({ ...named, context: { rung: 'event', source: secret } }));
    metrics.learn('operations', [text(secret)]);
    metrics.onNotice({ kind: 'store_unavailable', error: new Error(secret), retryInMs: 1 });
  }
  await jobs.start();
  await seconds(all, 10);
  await jobs.stop();
  for (const accept of ['text/plain', 'application/openmetrics-text']) {
    const { body } = await metrics.scrape(accept);
    expect(body).toContain('redrive_operations_total{operation="plant",result="exhausted"} 56');
    expect(leakedSecrets(body)).toEqual([]);
  }
});

test('a reload that fails shows; the time of the last good one stays', async () => {
  const { clock, metrics, lines } = setUp({ configuration: true });
  const atSeconds = clock.now() / 1_000;
  clock.tick(1_000);
  metrics.configReloaded(false);
  expect(await lines('redrive_config')).toEqual([
    'redrive_config_reloads_total{result="success"} 0',
    'redrive_config_reloads_total{result="failure"} 1',
    'redrive_config_last_reload_successful 0',
    `redrive_config_last_reload_success_timestamp_seconds ${atSeconds}`,
  ]);
});

test('a record that cannot be counted is dropped and counted, and harms nobody', async () => {
  const { metrics, lines } = setUp();
  const broken = { kind: 'session_ended' } as RetryRecord; // Of a version that nobody knows yet.
  metrics.events.emit(broken);
  expect(await lines('redrive_records_dropped_total')).toEqual(['redrive_records_dropped_total 1']);
});

test('a scrape of 10,000 series takes less than 50 ms of the event loop', async () => {
  const operations = Array.from({ length: 200 }, (_, index) => `op${index}`);
  const services = Array.from({ length: 100 }, (_, index) => `s${index}`);
  const { metrics } = setUp({ names: { operations, services } });
  await metrics.scrape();
  const before = process.cpuUsage();
  const { body } = await metrics.scrape();
  const { user, system } = process.cpuUsage(before);
  expect(body.split('\n').length).toBeGreaterThan(10_000);
  // The time of the processor: others may use it too while this runs.
  expect((user + system) / 1_000).toBeLessThan(50);
});

interface Facts {
  readonly operation: string;
  readonly category?: string;
  readonly dependency?: string;
  readonly traceId?: string;
  readonly context?: Readonly<Record<string, unknown>>;
}

/** The end of a session that succeeded. */
function ended(facts: Facts, { totalAttempts = 1 } = {}): RetryRecord {
  const session = { sessionId: 's', policyId: 'p', policyHash: 'h', maxAttempts: 3, ...facts };
  return {
    kind: 'session_ended',
    atMs: 1_000,
    session,
    startedAtMs: 0,
    totalAttempts,
    success: true,
    reason: 'succeeded',
  };
}
