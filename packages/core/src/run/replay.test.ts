import {
  type AttemptEnded,
  circuitBreaker,
  decide,
  definePolicy,
  type Policy,
  type RetryOptions,
  type RetryRecord,
  retry,
  retryBudget,
  syncSink,
} from '@redrive/core';
import {
  hashPolicy,
  sessionLog,
  toAuditV1,
  toEventV1,
  validateRecord,
} from '@redrive/core/records';
import { policyLabel, sessionRandom } from '@redrive/core/stored';
import { virtualClock } from '@redrive/testkit';
import { describe, expect, it } from 'vitest';

const down = () => Promise.reject(new Error('down'));
const limited = () =>
  Promise.reject(
    Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': '7' } }),
  );
const breakerThatOpens = () => circuitBreaker({ threshold: 2, timeoutMs: 60_000 });

type Operation = (context: { attempt: number }) => unknown;
const sessions: [string, Operation, Policy, (() => RetryOptions)?][] = [
  ['success', () => 'up', {}],
  ['success after failures', ({ attempt }) => (attempt < 3 ? down() : 'up'), {}],
  ['full jitter', down, { jitter: 'full', maxAttempts: 5 }],
  ['equal jitter', down, { jitter: 'equal', maxAttempts: 5 }],
  ['decorrelated jitter', down, { jitter: 'decorrelated', maxAttempts: 9 }],
  ['no jitter', down, { jitter: 'none', immediateFirstRetry: true }],
  ['a hint', limited, { baseDelayMs: 10, jitter: 'none' }],
  ['a final error', () => Promise.reject(new TypeError('no')), {}],
  ['a disabled policy', down, { enabled: false }],
  ['a deadline', down, { ttlMs: 2_000 }],
  ['a horizon', limited, { horizonMs: 1_000 }],
  ['a timeout', () => new Promise(() => {}), { attemptTimeoutMs: 100, maxAttempts: 2 }],
  [
    'a budget',
    down,
    { maxAttempts: 9 },
    () => ({ budget: retryBudget({ burst: 2, floorPerSecond: 0 }) }),
  ],
  ['a breaker', down, {}, () => ({ breaker: breakerThatOpens() })],
  [
    'a shared account',
    down,
    {},
    () => ({ parent: { sessionId: 'p', retries: { count: 1 }, timeLeftMs: () => 1e6 } }),
  ],
  ['an aborted signal', down, {}, () => ({ signal: AbortSignal.abort(new Error('user left')) })],
];

/** All records of a session, and its policy as the call resolved it. */
async function recordsOf(operation: Operation, policy: Policy, options?: () => RetryOptions) {
  const clock = virtualClock({ startMs: Date.parse('2026-01-29T12:00:00Z') });
  const records: RetryRecord[] = [];
  const events = syncSink((record) => records.push(record));
  const call = retry(operation, policy, { clock, events, ...options?.() }).catch(() => {});
  await Promise.all([call, clock.runAll()]);
  return { records, policy: definePolicy(policy) };
}

describe.each(sessions)('a recorded session with %s', (_, operation, given, options) => {
  it('can be decided again from its records, through JSON', async () => {
    const { records, policy } = await recordsOf(operation, given, options);
    const ends = records.filter(
      (record): record is AttemptEnded => record.kind === 'attempt_ended',
    );
    expect(ends.length).toBeGreaterThan(0);
    let lastDelayMs = 0;
    for (const { input, decision, session, attempt } of ends) {
      expect(input.account.lastDelayMs).toBe(lastDelayMs);
      lastDelayMs = decision.delayMs ?? 0;
      expect(session.policyHash).toBe(hashPolicy(policy));
      expect(decide({ ...input, policy })).toEqual(decision);
      // As JSON writes it: `Infinity` becomes `null`, and comes back as the only thing it can stand for.
      const stored = JSON.parse(JSON.stringify(input), (_key, value) => value ?? Infinity);
      expect(decide({ ...stored, policy })).toEqual(decision);
      expect(input.account.charged).toBe(attempt);
      if (input.random !== 0) expect(input.random).toBe(sessionRandom(session.sessionId, attempt));
    }
  });

  it('renders as documents that obey the rules of their shapes', async () => {
    const { records } = await recordsOf(operation, given, options);
    let ids = 0;
    for (const record of records) {
      const event = toEventV1(record, { nextId: () => `evt_${++ids}` });
      if (event !== undefined) validateRecord('event', event);
      const audit = toAuditV1(record);
      if (audit !== undefined) {
        expect(audit.retry_category).toBe(audit.redrive.policy_id);
        expect(audit.redrive.policy_id).toBe(policyLabel('default', audit.redrive.policy_hash));
        expect(audit.correlation_id).not.toBe('');
        expect(JSON.parse(JSON.stringify(audit))).toEqual(audit);
      }
    }
    const last = records.at(-1);
    expect(last?.kind).toBe('session_ended');
  });
});

it('is told as a `session/v1` document by the log of sessions', async () => {
  for (const [, operation, given, options] of sessions) {
    const clock = virtualClock({ startMs: Date.parse('2026-01-29T12:00:00Z') });
    const log = sessionLog();
    const call = retry(operation, given, { clock, events: log, ...options?.() }).catch(() => {});
    await Promise.all([call, clock.runAll()]);
    const [document] = log.sessions();
    validateRecord('session', document);
    expect(document?.end_time).toBeDefined();
  }
});

it('draws a random number only where it matters', async () => {
  const { records } = await recordsOf(down, { jitter: 'none' });
  for (const record of records) {
    if (record.kind === 'attempt_ended') expect(record.input.random).toBe(0);
  }
});
