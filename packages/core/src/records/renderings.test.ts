import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toAuditV1 } from './audit-v1.ts';
import { toEventV1 } from './event-v1.ts';
import type {
  AttemptEnded,
  AttemptStarted,
  BreakerChanged,
  IdempotencyUsed,
  RetryRecord,
  SanitisedError,
  SessionEnded,
  SessionFacts,
} from './record.ts';
import { toAttemptV1, toSessionV1 } from './session-v1.ts';
import { validateRecord } from './validate-record.ts';

const folder = new URL('./golden/', import.meta.url);
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const nextId = () => 'evt_1706534400000_abc123';

describe('golden files', () => {
  const names = readdirSync(folder);

  /** What each file's records are rendered with. */
  function render(name: string, record: unknown): unknown {
    // The files are what this test is about; that they hold records of their kind is seen in the result.
    if (name.startsWith('audit-')) return toAuditV1(record as RetryRecord);
    if (name.startsWith('event-')) return toEventV1(record as RetryRecord, { nextId });
    if (name === 'attempt.json') return toAttemptV1(record as AttemptEnded);
    return toSessionV1(record as RetryRecord[], {
      finalResult: { state_id: 'abc123', saved: true },
    });
  }

  test('are all there', () => {
    expect(names.sort()).toStrictEqual([
      'attempt.json',
      'audit-idempotency.json',
      'audit-retry-attempt.json',
      'audit-retry-exhausted.json',
      'event-breaker-closed.json',
      'event-breaker-opened.json',
      'event-retry-attempt.json',
      'event-retry-failure.json',
      'event-retry-success.json',
      'session.json',
    ]);
  });

  test.each(names)('%s is rendered byte for byte', (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const golden = JSON.parse(text);
    expect(json(golden)).toBe(text);
    expect(json(render(name, golden.record))).toBe(json(golden.rendered));
  });

  test.each([
    ['attempt.json', 'attempt'],
    ['audit-idempotency.json', undefined],
    ['audit-retry-attempt.json', undefined],
    ['audit-retry-exhausted.json', undefined],
    ['event-retry-attempt.json', 'event'],
    ['session.json', 'session'],
  ] as const)(
    '%s holds a sample of the shape, and ours differs by what stands after it',
    (name, shape) => {
      const { sample, rendered } = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
      const { redrive, total_attempts, total_duration, retry_count, ...rest } = rendered;
      expect(redrive.schema_version).toMatch(/^\w+\/v1$/);
      // In `audit/v1` the sample has total_attempts; `session/v1` derives it, and its sample leaves it out.
      const ours = 'total_attempts' in sample ? { ...rendered, redrive: undefined } : rest;
      expect(json(ours)).toBe(json(sample));
      if (shape) validateRecord(shape, sample);
    },
  );
});

const facts: SessionFacts = {
  sessionId: 'ses_1',
  policyId: 'p',
  policyHash: 'h',
  operation: 'o',
  maxAttempts: 3,
};
const boom: SanitisedError = { type: 'Error', message: 'boom' };
const over: SessionEnded = {
  kind: 'session_ended',
  atMs: 1_250,
  session: facts,
  startedAtMs: 0,
  totalAttempts: 1,
  success: false,
  reason: 'final_error',
  error: boom,
};
const ended: AttemptEnded = {
  kind: 'attempt_ended',
  atMs: 1_250,
  session: facts,
  attempt: 1,
  startedAtMs: 0,
  durationMs: 1_250.123456789,
  delayBeforeMs: 0,
  success: false,
  decision: {
    action: 'park',
    reason: 'breaker_open',
    delayMs: 5_000,
    charge: { entry: 'blocked', budget: false },
  },
  input: {
    account: { charged: 1, freeWaits: 0, freeWaitMs: 0, lastDelayMs: 0 },
    outcome: { kind: 'blocked', cause: 'breaker_open', retryAfterMs: 5_000 },
    rung: 'job',
    horizonMs: 600_000,
    canHandOver: false,
    timeLeftMs: 60_000,
    allowance: 10,
    budgetAllows: true,
    breakerOpenMs: 5_000,
    onUnknown: 'retry',
    random: 0,
  },
  decideVersion: 1,
};

describe('audit/v1', () => {
  test('what the caller left out has a stand-in', () => {
    expect(toAuditV1(ended)).toStrictEqual({
      event_type: 'retry_attempt',
      retry_category: 'p',
      operation: 'o',
      attempt_number: 1,
      max_attempts: 3,
      delay_seconds: 5,
      exception_type: 'breaker_open',
      exception_message: '',
      tenant_id: '',
      correlation_id: 'ses_1',
      trace_id: '',
      timestamp: '1970-01-01T00:00:01.250Z',
      redrive: {
        schema_version: 'audit/v1',
        session_id: 'ses_1',
        policy_id: 'p',
        policy_hash: 'h',
        reason_code: 'breaker_open',
      },
    });
  });

  test.each([
    ['retry', true],
    ['hand-over', true],
    ['park', true],
    ['give-up', false],
    ['succeed', false],
  ] as const)('an attempt that ends in %s is a retry_attempt: %s', (action, isRetry) => {
    // Only the action matters here, not whether the reason fits it.
    const decision = { ...ended.decision, action } as AttemptEnded['decision'];
    expect(toAuditV1({ ...ended, decision })?.event_type).toBe(
      isRetry ? 'retry_attempt' : undefined,
    );
  });

  test.each([
    ['max_attempts_exceeded', true],
    ['final_error', true],
    ['breaker_open', true],
    ['interrupted', true],
    ['cancelled', false],
    ['handed_over', false],
  ] as const)('a session that ends by %s is retry_exhausted: %s', (reason, isExhausted) => {
    const event = toAuditV1({ ...over, reason });
    expect(event?.event_type).toBe(isExhausted ? 'retry_exhausted' : undefined);
    if (isExhausted) expect(event?.redrive.reason_code).toBe(reason);
  });

  test('successes, starts and breakers have no event', () => {
    const started: AttemptStarted = {
      kind: 'attempt_started',
      atMs: 0,
      session: facts,
      attempt: 2,
      delayMs: 1,
    };
    expect(toAuditV1({ ...over, success: true })).toBeUndefined();
    expect(toAuditV1(started)).toBeUndefined();
    expect(
      toAuditV1({
        kind: 'breaker_changed',
        atMs: 0,
        key: 'k',
        from: 'closed',
        to: 'open',
        failureCount: 1,
      }),
    ).toBeUndefined();
  });
});

describe('event/v1', () => {
  const started: AttemptStarted = {
    kind: 'attempt_started',
    atMs: 0,
    session: facts,
    attempt: 2,
    delayMs: 1_500,
  };
  const type = (record: RetryRecord) => toEventV1(record, { nextId })?.event_type;

  test('an event carries the component that is asked for, and nothing that is not there', () => {
    expect(toEventV1(started, { nextId, component: 'worker' })).toStrictEqual({
      event_id: 'evt_1706534400000_abc123',
      event_type: 'retry_attempt',
      timestamp: '1970-01-01T00:00:00.000Z',
      correlation_id: 'ses_1',
      session_id: 'ses_1',
      policy_id: 'p',
      operation: 'o',
      attempt: 2,
      max_attempts: 3,
      delay: 1.5,
      component: 'worker',
      redrive: { schema_version: 'event/v1' },
    });
  });

  test('max_attempts is left out past the limit', () => {
    expect(toEventV1({ ...started, attempt: 3 }, { nextId })).toHaveProperty('max_attempts', 3);
    expect(toEventV1({ ...started, attempt: 4 }, { nextId })).not.toHaveProperty('max_attempts');
  });

  test('only the second attempt and later ones are retries', () => {
    expect(type({ ...started, attempt: 1 })).toBeUndefined();
    expect(type(started)).toBe('retry_attempt');
    expect(type(ended)).toBeUndefined();
  });

  test.each([
    [{ success: true, reason: 'succeeded', totalAttempts: 1 }, undefined],
    [{ success: true, reason: 'succeeded', totalAttempts: 2 }, 'retry_success'],
    [{ reason: 'final_error', totalAttempts: 1 }, 'retry_failure'],
    [{ reason: 'max_attempts_exceeded', totalAttempts: 3 }, 'retry_failure'],
    [{ reason: 'cancelled', totalAttempts: 2 }, undefined],
    [{ reason: 'handed_over', totalAttempts: 2 }, undefined],
  ] as const)('a session that ended with %j is %s', (fields, expected) => {
    expect(type({ ...over, ...fields })).toBe(expected);
  });

  test.each([
    ['open', 'circuit_breaker_opened'],
    ['closed', 'circuit_breaker_closed'],
    ['half_open', undefined],
  ] as const)('a breaker that becomes %s is %s', (to, expected) => {
    expect(
      type({ kind: 'breaker_changed', atMs: 0, key: 'k', from: 'open', to, failureCount: 1 }),
    ).toBe(expected);
  });

  test('ids are drawn only for events', () => {
    let drawn = 0;
    const counting = { nextId: () => `evt_${++drawn}` };
    toEventV1(ended, counting);
    expect(drawn).toBe(0);
    expect(toEventV1(started, counting)?.event_id).toBe('evt_1');
  });
});

describe('session/v1', () => {
  test('a session that still runs has no end', () => {
    const session = toSessionV1([ended]);
    expect(session).toMatchObject({
      success: false,
      start_time: '1970-01-01T00:00:00.000Z',
      total_duration: 1.25,
    });
    expect(session).not.toHaveProperty('end_time');
    expect(session).not.toHaveProperty('final_result');
    expect(session?.redrive).toStrictEqual({
      schema_version: 'session/v1',
      policy_hash: 'h',
      omitted_attempts: 0,
    });
  });

  test('a session lasts from its own start, or that of its first attempt, to its end or that of its last', () => {
    const second = { ...ended, attempt: 2, startedAtMs: 3_000, atMs: 4_000 };
    expect(toSessionV1([ended, second])?.total_duration).toBe(4);
    const late = { ...ended, startedAtMs: 500 };
    expect(toSessionV1([late, second])).toMatchObject({
      start_time: '1970-01-01T00:00:00.500Z',
      total_duration: 3.5,
    });
    expect(toSessionV1([late, second, { ...over, startedAtMs: 200, atMs: 5_000 }])).toMatchObject({
      start_time: '1970-01-01T00:00:00.200Z',
      end_time: '1970-01-01T00:00:05.000Z',
      total_duration: 4.8,
    });
  });

  test('a failed session has its error and no result', () => {
    expect(toSessionV1([ended, over])).toMatchObject({
      final_error: boom,
      success: false,
      redrive: { reason_code: 'final_error' },
    });
  });

  test('without an ended attempt there is no document', () => {
    expect(toSessionV1([over])).toBeUndefined();
  });

  test('durations are to the microsecond, and not negative when the clock was set back', () => {
    expect(toAttemptV1(ended).duration).toBe(1.250123);
    expect(toSessionV1([{ ...ended, startedAtMs: 5_000 }])?.total_duration).toBe(0);
  });

  test('a result is kept where it is given, also an empty one', () => {
    expect(toSessionV1([ended], { finalResult: undefined })).toHaveProperty('final_result');
    expect(toSessionV1([ended], { finalResult: null })?.final_result).toBeNull();
  });

  test('attempts that are known to be missing are counted', () => {
    const omitted = (omittedAttempts?: number) =>
      toSessionV1([ended], omittedAttempts === undefined ? {} : { omittedAttempts })?.redrive;
    expect(omitted(3)?.omitted_attempts).toBe(3);
    expect(omitted()?.omitted_attempts).toBe(0);
  });
});

describe('whatever is recorded', () => {
  const text = fc.string({ maxLength: 5 });
  const id = fc.string({ minLength: 1, maxLength: 5 });
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const atMs = fc.integer({ min: -8.64e15, max: 8.64e15 });
  const durationMs = fc.double({ min: 0, max: 1e12, noNaN: true });
  const attempt = fc.integer({ min: 1, max: 1_000_000 });
  const error = maybe(
    fc.record(
      { type: text, message: text, stackTrace: text },
      { requiredKeys: ['type', 'message'] },
    ),
  );
  const session: fc.Arbitrary<SessionFacts> = fc.record({
    sessionId: id,
    policyId: text,
    policyHash: id,
    operation: text,
    maxAttempts: attempt,
    category: maybe(id),
    tenantId: maybe(text),
    correlationId: maybe(text),
    traceId: maybe(text),
    context: maybe(fc.dictionary(text, text, { maxKeys: 2 })),
  });
  const reason = fc.constantFrom(
    'final_error',
    'cancelled',
    'handed_over',
    'succeeded',
    'ttl_exceeded',
  );
  const state = fc.constantFrom('closed', 'open', 'half_open');
  const charge = fc.constant({ entry: 'failed', budget: false } as const);
  const decision: fc.Arbitrary<AttemptEnded['decision']> = fc.oneof(
    fc.record({ action: fc.constant('retry'), reason, delayMs: durationMs, charge }),
    fc.record({ action: fc.constant('give-up'), reason, charge }),
  );
  const attemptStarted: fc.Arbitrary<AttemptStarted> = fc.record({
    kind: fc.constant('attempt_started'),
    atMs,
    session,
    attempt,
    delayMs: durationMs,
    lastError: error,
  });
  const attemptEnded: fc.Arbitrary<AttemptEnded> = fc.record({
    kind: fc.constant('attempt_ended'),
    atMs,
    session,
    attempt,
    startedAtMs: atMs,
    durationMs,
    delayBeforeMs: durationMs,
    success: fc.boolean(),
    error,
    decision,
    input: fc.constant(ended.input),
    decideVersion: fc.constant(1),
  });
  const sessionEnded: fc.Arbitrary<SessionEnded> = fc.record({
    kind: fc.constant('session_ended'),
    atMs,
    session,
    startedAtMs: atMs,
    totalAttempts: fc.nat(),
    success: fc.boolean(),
    reason,
    error,
  });
  const breakerChanged: fc.Arbitrary<BreakerChanged> = fc.record({
    kind: fc.constant('breaker_changed'),
    atMs,
    key: text,
    from: state,
    to: state,
    failureCount: fc.nat(),
    session: maybe(session),
  });
  const idempotency: fc.Arbitrary<IdempotencyUsed> = fc.record({
    kind: fc.constant('idempotency'),
    atMs,
    session,
    key: id,
    action: fc.constantFrom('hit', 'record'),
  });
  const record: fc.Arbitrary<RetryRecord> = fc.oneof(
    attemptStarted,
    attemptEnded,
    sessionEnded,
    breakerChanged,
    idempotency,
  );

  const sessionRecord = fc.oneof(attemptEnded, sessionEnded);

  test('its events keep the rules of the shape', () => {
    fc.assert(
      fc.property(record, (one) => {
        const event = toEventV1(one, { nextId });
        if (event) validateRecord('event', JSON.parse(JSON.stringify(event)));
      }),
      { numRuns: 10_000 },
    );
  });

  test('its attempts and sessions keep the rules of their shapes', () => {
    fc.assert(
      fc.property(attemptEnded, fc.array(sessionRecord, { maxLength: 2 }), (one, others) => {
        validateRecord('attempt', JSON.parse(JSON.stringify(toAttemptV1(one))));
        validateRecord('session', JSON.parse(JSON.stringify(toSessionV1([one, ...others]))));
      }),
      { numRuns: 10_000 },
    );
  });

  test('its audit events have the shape’s fields in their order', () => {
    const fields = new Map(
      ['retry-attempt', 'retry-exhausted', 'idempotency'].map((name) => {
        const { rendered } = JSON.parse(
          readFileSync(new URL(`audit-${name}.json`, folder), 'utf8'),
        );
        return [rendered.event_type, Object.keys(rendered).join()];
      }),
    );
    fc.assert(
      fc.property(record, (one) => {
        const event = toAuditV1(one);
        return event === undefined || Object.keys(event).join() === fields.get(event.event_type);
      }),
      { numRuns: 10_000 },
    );
  });
});
