import { explain, lookUp, parseConfig } from '@redrive/config';
import {
  circuitBreaker,
  circuitBreakers,
  newId,
  type Policy,
  pipeline,
  type RetryRecord,
  retry,
  syncSink,
} from '@redrive/core';
import {
  recordProblems,
  sessionLog,
  toAttemptV1,
  toEventV1,
  validateRecord,
} from '@redrive/core/records';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, test } from 'vitest';

const START_MS = Date.parse('2026-01-29T12:00:00Z');
const REQUIRED = {
  name: 'Browser State Timeout Retry',
  max_attempts: 3,
  backoff_type: 'exponential',
  base_delay: 1,
  max_delay: 10,
};

/** A file of version 1.0.0 with one policy, as JSON, which is YAML too. */
function fileWith(fields: object, defaults: object = {}) {
  const policies = { state_timeout: fields };
  const subsystem_mappings = { browser: { state_operations: { timeout: 'state_timeout' } } };
  const file = { version: '1.0.0', global_defaults: defaults, policies, subsystem_mappings };
  return parseConfig(JSON.stringify(file));
}

function policyWith(fields: object, defaults: object = {}) {
  const { config, problems } = fileWith({ ...REQUIRED, ...fields }, defaults);
  const found = config && lookUp(config, 'browser.state_operations.timeout');
  if (found?.policy === undefined) throw new Error(JSON.stringify(problems));
  return { ...found, policy: found.policy };
}

/** What a policy of a file makes of a call: how often the operation ran, the waits between, the outcome. */
async function called(policy: Policy, error: (attempt: number) => unknown) {
  const clock = virtualClock({ startMs: START_MS });
  const startsMs: number[] = [];
  const call = retry(
    ({ attempt }) => {
      startsMs.push(clock.monotonic());
      throw error(attempt);
    },
    policy,
    { clock },
  ).catch((thrown: unknown) => thrown);
  await clock.runAll();
  const outcome = await call;
  const waits = startsMs.slice(1).map((ms, n) => (ms - (startsMs[n] ?? 0)) / 1_000);
  return { attempts: startsMs.length, waits, outcome };
}
const named = (name: string) => () => Object.assign(new Error(name), { name });

describe('a policy of a file', () => {
  test.each(Object.keys(REQUIRED))('must have the field %s', (field) => {
    const { [field]: _, ...rest } = REQUIRED as Record<string, unknown>;
    const { valid, problems } = fileWith(rest);
    expect(valid).toBe(false);
    expect(problems).toMatchObject([
      { code: 'missing_field', path: `policies.state_timeout.${field}` },
    ]);
  });

  test('has its key as id; another id is refused', () => {
    expect(policyWith({}).policy.policy.id).toBe('state_timeout');
    expect(policyWith({ id: 'state_timeout' }).policy.policy.id).toBe('state_timeout');
    expect(fileWith({ ...REQUIRED, id: 'other' }).problems[0]).toMatchObject({
      code: 'id_mismatch',
    });
  });

  test.each([
    ['description', 'description', ''],
    ['jitter_type', 'jitter', 'none'],
    ['jitter_amount', 'jitterAmount', 0.1],
    ['enable_circuit_breaker', 'enableCircuitBreaker', false],
    ['circuit_breaker_threshold', 'circuitBreakerThreshold', 5],
    ['circuit_breaker_timeout', 'circuitBreakerTimeoutMs', 60_000],
    ['retryable_exceptions', 'retryableExceptions', []],
    ['enabled', 'enabled', true],
  ] as const)('has a default for %s', (_, field, value) => {
    expect(policyWith({}).policy.policy[field]).toEqual(value);
  });

  test('has name and description for people', () => {
    const { policy } = policyWith({ description: 'Retry state operations that timeout' }).policy;
    expect([policy.name, policy.description]).toEqual([
      'Browser State Timeout Retry',
      'Retry state operations that timeout',
    ]);
  });

  test('counts the first attempt in max_attempts', async () => {
    const { policy } = policyWith({ max_attempts: 3 }).policy;
    expect((await called(policy, named('Error'))).attempts).toBe(3);
  });

  test.each([
    ['exponential', [1, 2, 4, 8, 10]],
    ['linear', [1, 2, 3, 4, 5]],
    ['fixed', [1, 1, 1, 1, 1]],
    ['immediate', [0, 0, 0, 0, 0]],
  ])('back-off %s waits %j seconds', async (backoff_type, waits) => {
    const { policy } = policyWith({ backoff_type, max_attempts: 6 }).policy;
    expect((await called(policy, named('Error'))).waits).toEqual(waits);
  });

  test.each([
    ['none', 0.5, [4, 4]],
    ['full', 0.5, [2, 4]],
    ['full', 1, [0, 4]],
    ['equal', 1, [2, 4]],
    ['decorrelated', 0.5, [4, 10]],
  ])(
    'jitter %s of the amount %s draws a wait of 4 s from %j',
    async (jitter_type, amount, band) => {
      const [least = 0, most = 0] = band;
      const { policy } = policyWith({
        ...{ base_delay: 4, max_attempts: 2, jitter_type, jitter_amount: amount },
      }).policy;
      const waits: number[] = [];
      for (let n = 0; n < 300; n += 1) waits.push(...(await called(policy, named('Error'))).waits);
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(least);
      expect(Math.max(...waits)).toBeLessThanOrEqual(most);
      expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThanOrEqual((most - least) * 0.8);
    },
  );

  test('its breaker opens after the threshold, and lets a call through after the timeout', async () => {
    const { policy } = policyWith({
      ...{ max_attempts: 1, enable_circuit_breaker: true },
      ...{ circuit_breaker_threshold: 2, circuit_breaker_timeout: 30 },
    }).policy;
    const clock = virtualClock({ startMs: START_MS });
    const calls = pipeline({ policy, clock, breakers: circuitBreakers({ clock }) });
    let ran = 0;
    const run = () =>
      calls
        .run(() => {
          ran += 1;
          if (ran <= 2) throw new Error('down');
          return 'up';
        })
        .catch((error: { reason: string }) => error.reason);
    expect([await run(), await run(), await run()]).toEqual([
      'max_attempts_exceeded',
      'max_attempts_exceeded',
      'breaker_open',
    ]);
    expect(ran).toBe(2);
    await clock.advance(30_000);
    expect([await run(), await run()]).toEqual(['up', 'up']);
  });

  test('retries the listed errors only', async () => {
    const { policy } = policyWith({
      retryable_exceptions: ['TimeoutError', 'ConnectionError'],
    }).policy;
    expect((await called(policy, named('TimeoutError'))).attempts).toBe(3);
    const reset = () => Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    expect((await called(policy, reset)).attempts).toBe(3);
    expect((await called(policy, named('KeyError'))).attempts).toBe(1);
  });

  test('without a list retries what may pass, and not what stays', async () => {
    const { policy } = policyWith({}).policy;
    expect((await called(policy, named('TimeoutError'))).attempts).toBe(3);
    expect((await called(policy, () => new TypeError('x is not a function'))).attempts).toBe(1);
  });

  test('that is not enabled makes one attempt, without a breaker', async () => {
    const { policy } = policyWith({ enabled: false, enable_circuit_breaker: true }).policy;
    const { attempts, outcome } = await called(policy, named('Error'));
    expect([attempts, outcome]).toMatchObject([1, { reason: 'policy_disabled' }]);
  });

  test.each([
    ['max_attempts below 1', { max_attempts: 0 }],
    ['base_delay below 0', { base_delay: -1 }],
    ['max_delay below base_delay', { base_delay: 5, max_delay: 4 }],
    ['jitter_amount below 0', { jitter_amount: -0.1 }],
    ['jitter_amount above 1', { jitter_amount: 1.1 }],
    [
      'circuit_breaker_threshold below 1',
      { enable_circuit_breaker: true, circuit_breaker_threshold: 0 },
    ],
    ['circuit_breaker_timeout of 0', { enable_circuit_breaker: true, circuit_breaker_timeout: 0 }],
    ['retryable_exceptions that are no names', { retryable_exceptions: ['not a name'] }],
    ['enabled that is no boolean', { enabled: 'yes' }],
    ['backoff_type of another kind', { backoff_type: 'random' }],
    ['jitter_type of another kind', { jitter_type: 'some' }],
  ])('with %s is refused, at its line', (_, fields) => {
    const { valid, problems } = fileWith({ ...REQUIRED, ...fields });
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(valid).toBe(false);
    expect(errors.map(({ path }) => path.split('.')[2])).toEqual([Object.keys(fields).at(-1)]);
  });

  test('may have bounds: 1 attempt, no delay, equal delays, amounts of 0 and 1, and a breaker that is off', () => {
    for (const fields of [
      { max_attempts: 1 },
      { base_delay: 0, max_delay: 0 },
      { base_delay: 5, max_delay: 5 },
      { jitter_amount: 0 },
      { jitter_amount: 1 },
      { circuit_breaker_threshold: 0 },
    ]) {
      expect(fileWith({ ...REQUIRED, ...fields }).valid, JSON.stringify(fields)).toBe(true);
    }
  });
});

describe('a configuration', () => {
  test('maps operations of subsystems to policies', () => {
    expect(policyWith({})).toMatchObject({
      matchedBy: 'path',
      rule: 'subsystem_mappings: browser.state_operations.timeout',
      policy: { policy: { id: 'state_timeout' } },
    });
  });

  test('maps several operations to one policy', () => {
    const policies = { state_timeout: REQUIRED };
    const state_operations = { timeout: 'state_timeout', network_error: 'state_timeout' };
    const subsystem_mappings = { browser: { state_operations }, navigation: 'state_timeout' };
    const { config } = parseConfig(
      JSON.stringify({ version: '1.0.0', policies, subsystem_mappings }),
    );
    if (config === undefined) throw new Error('It is valid');
    const names = ['browser.state_operations.timeout', 'browser.state_operations.network_error'];
    for (const name of [...names, 'navigation']) {
      expect(lookUp(config, name).policy?.policy.id).toBe('state_timeout');
    }
  });

  test('has defaults for all policies, which a policy may replace', () => {
    const defaults = { jitter_type: 'full', jitter_amount: 0.5, enable_circuit_breaker: true };
    expect(policyWith({}, defaults).policy.policy).toMatchObject({
      jitter: 'full',
      jitterAmount: 0.5,
      enableCircuitBreaker: true,
    });
    expect(policyWith({ jitter_type: 'none' }, defaults).policy.policy.jitter).toBe('none');
  });

  test('must have version, policies and mappings in version 1.0.0', () => {
    const { problems } = parseConfig('global_defaults: {}\n');
    expect(problems[0]).toMatchObject({ code: 'missing_field', path: 'version' });
    expect(parseConfig('version: "1.0.0"\n').problems.map(({ path }) => path)).toEqual([
      'policies',
      'subsystem_mappings',
    ]);
  });

  test('of version 1.0.0 means the same in version 1.1.0', () => {
    const text = (version: string) =>
      `version: "${version}"\npolicies:\n  a: ${JSON.stringify(REQUIRED)}\nsubsystem_mappings: { x: { y: a } }\n`;
    const waits = (version: string) => {
      const { config } = parseConfig(text(version));
      const found = config && lookUp(config, 'x.y');
      if (found?.policy === undefined) throw new Error('not found');
      return explain(found.policy, found).delays_ms;
    };
    expect(waits('1.1.0')).toEqual(waits('1.0.0'));
  });
});

/** The records of a call that fails once with a time-out and then succeeds. */
async function recorded(attempts = 2) {
  const clock = virtualClock({ startMs: START_MS });
  const records: RetryRecord[] = [];
  const log = sessionLog();
  const events = syncSink((record) => {
    records.push(record);
    log.emit(record);
  });
  const breaker = circuitBreaker({
    key: 'browser_state_timeout',
    threshold: 1,
    timeoutMs: 500,
    clock,
    events,
  });
  const call = retry(
    ({ attempt }) => {
      clock.tick(30_500);
      if (attempt < attempts) throw named('TimeoutError')();
      return { saved: true };
    },
    { id: 'browser_state_timeout', maxAttempts: 3, baseDelayMs: 1_500, jitter: 'none' },
    {
      ...{ clock, events, breaker, operation: 'save_state', correlationId: 'corr_abc123' },
      context: { state_id: 'abc123' },
    },
  ).catch(() => {});
  await clock.runAll();
  await call;
  return { records, session: log.sessions()[0], nextId: () => newId('evt', clock) };
}

describe('what a call leaves', () => {
  test('each attempt has its number, time, delay before it, error, success and duration', async () => {
    const { records } = await recorded();
    const [first, second] = records.flatMap((one) =>
      one.kind === 'attempt_ended' ? [toAttemptV1(one)] : [],
    );
    expect(first).toMatchObject({
      ...{ attempt_number: 1, timestamp: '2026-01-29T12:00:00.000Z', delay: 0, success: false },
      ...{ error: { type: 'TimeoutError', message: 'TimeoutError' }, duration: 30.5 },
      context: { state_id: 'abc123' },
    });
    expect(second).toMatchObject({
      ...{ attempt_number: 2, timestamp: '2026-01-29T12:00:32.000Z', delay: 1.5, success: true },
    });
    expect(second).not.toHaveProperty('error');
  });

  test('a session has id, policy, operation, start, end, attempts, success and context', async () => {
    const { session } = await recorded();
    expect(session).toMatchObject({
      ...{ policy_id: 'browser_state_timeout', operation: 'save_state', success: true },
      ...{ start_time: '2026-01-29T12:00:00.000Z', end_time: '2026-01-29T12:01:02.500Z' },
      ...{
        attempts: [{ attempt_number: 1 }, { attempt_number: 2 }],
        context: { state_id: 'abc123' },
      },
      ...{ total_attempts: 2, total_duration: 62.5, retry_count: 1 },
    });
    expect(session?.session_id).not.toBe('');
    validateRecord('session', session);
  });

  test('a session that failed has its last error and no result', async () => {
    const { session } = await recorded(9);
    expect(session).toMatchObject({
      success: false,
      final_error: { type: 'TimeoutError' },
      retry_count: 2,
    });
    expect(session).not.toHaveProperty('final_result');
  });

  test('its events: a retry, the success after it, and the breaker that opened and closed', async () => {
    const { records, nextId } = await recorded();
    const events = records.flatMap((record) => toEventV1(record, { nextId }) ?? []);
    expect(events.map(({ event_type }) => event_type)).toEqual([
      'circuit_breaker_opened',
      'retry_attempt',
      'circuit_breaker_closed',
      'retry_success',
    ]);
    expect(events[1]).toMatchObject({
      ...{ timestamp: '2026-01-29T12:00:32.000Z', correlation_id: 'corr_abc123' },
      ...{
        policy_id: 'browser_state_timeout',
        operation: 'save_state',
        attempt: 2,
        max_attempts: 3,
      },
      ...{ delay: 1.5, component: 'retry_manager' },
      context: { state_id: 'abc123', last_error: 'TimeoutError: TimeoutError' },
    });
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(4);
  });

  test('a call that gives up is a retry_failure with its error', async () => {
    const { records, nextId } = await recorded(9);
    const events = records.flatMap((record) => toEventV1(record, { nextId }) ?? []);
    expect(events.at(-1)).toMatchObject({
      event_type: 'retry_failure',
      error: { type: 'TimeoutError' },
    });
  });

  test('documents are about as large as estimated', async () => {
    const { records, session } = await recorded();
    const attempts = records.flatMap((one) =>
      one.kind === 'attempt_ended' ? [toAttemptV1(one)] : [],
    );
    const nextId = () => 'evt_1706534400000_abc123';
    const events = records.flatMap((record) => toEventV1(record, { nextId }) ?? []);
    // The fields of the shapes; what we add stands in `redrive`.
    const bytes = (document: object) => JSON.stringify({ ...document, redrive: undefined }).length;
    expect(bytes(REQUIRED)).toBeLessThan(500);
    for (const attempt of attempts) expect(bytes(attempt)).toBeLessThan(200);
    for (const event of events) expect(bytes(event)).toBeLessThan(450);
    expect(JSON.stringify(session).length).toBeLessThan(1_024);
  });
});

describe('a breaker’s state', () => {
  test('has policy, state, failures, threshold, timeout and times, and follows the calls', () => {
    const clock = virtualClock({ startMs: START_MS });
    const breaker = circuitBreaker({ key: 'browser_state_timeout', clock });
    const fail = () =>
      breaker.record(breaker.admit(), { errorClass: 'retryable', effect: 'unknown' });
    fail();
    fail();
    const { redrive: _, ...state } = breaker.toState();
    expect(state).toEqual({
      policy_id: 'browser_state_timeout',
      state: 'closed',
      failure_count: 2,
      last_failure_time: '2026-01-29T12:00:00.000Z',
      threshold: 5,
      timeout: 60,
      last_state_change: '2026-01-29T12:00:00.000Z',
    });
    clock.tick(1_000);
    for (const _ of [3, 4, 5]) fail();
    expect(breaker.toState()).toMatchObject({
      state: 'open',
      last_state_change: '2026-01-29T12:00:01.000Z',
    });
    clock.tick(60_000);
    breaker.admit();
    expect(breaker.toState().state).toBe('half_open');
  });

  test('a success resets the failures of a breaker, and so does its return', () => {
    const clock = virtualClock({ startMs: START_MS });
    const breaker = circuitBreaker({ key: 'browser_state_timeout', clock });
    const fail = () =>
      breaker.record(breaker.admit(), { errorClass: 'retryable', effect: 'unknown' });
    const succeed = () => breaker.record(breaker.admit(), undefined);
    const failures = () => breaker.toState().failure_count;
    fail();
    fail();
    succeed();
    expect(failures()).toBe(0);
    for (const _ of [1, 2, 3, 4, 5]) fail();
    expect([breaker.state, failures()]).toEqual(['open', 5]);
    clock.tick(60_000);
    succeed();
    expect([breaker.state, failures()]).toEqual(['closed', 0]);
  });
});

describe('validation of records', () => {
  const attempt = {
    ...{ attempt_number: 1, timestamp: '2026-01-29T12:00:00Z', delay: 0 },
    ...{ success: true, duration: 1 },
  };
  const session = {
    ...{ session_id: 's', policy_id: 'p', operation: 'o', start_time: '2026-01-29T12:00:00Z' },
    ...{ attempts: [attempt, { ...attempt, attempt_number: 2 }], success: true },
    ...{ total_attempts: 2, retry_count: 1 },
  };
  const event = {
    ...{ event_id: 'e', event_type: 'retry_attempt', timestamp: '2026-01-29T12:00:00Z' },
    ...{ correlation_id: 'c', session_id: 's', policy_id: 'p', operation: 'o', component: 'r' },
    ...{ attempt: 2, max_attempts: 3, delay: 1 },
  };

  test.each([
    ['attempt_number below 1', { attempts: [{ ...attempt, attempt_number: 0 }] }],
    ['a delay below 0', { attempts: [{ ...attempt, delay: -1 }] }],
    ['a duration below 0', { attempts: [{ ...attempt, duration: -1 }] }],
    ['success that is no boolean', { success: 'yes' }],
    ['no attempts', { attempts: [] }],
    ['total_attempts that is not the number of attempts', { total_attempts: 3, retry_count: 2 }],
    ['retry_count that is not one less', { retry_count: 2 }],
  ])('a session with %s is refused', (_, fields) => {
    expect(recordProblems('session', session)).toEqual([]);
    const { total_attempts: _total, retry_count: _count, ...rest } = session;
    const base = 'attempts' in fields ? rest : session;
    expect(recordProblems('session', { ...base, ...fields })).not.toEqual([]);
  });

  test.each([
    ['a type that does not exist', { event_type: 'retry_maybe' }],
    ['a time that is not ISO 8601', { timestamp: '29.1.2026' }],
    ['an empty correlation_id', { correlation_id: '' }],
    ['attempt below 1', { attempt: 0 }],
    ['max_attempts below attempt', { attempt: 4 }],
    ['a delay below 0', { delay: -1 }],
  ])('an event with %s is refused', (_, fields) => {
    expect(recordProblems('event', event)).toEqual([]);
    expect(recordProblems('event', { ...event, ...fields })).toHaveLength(1);
  });
});
