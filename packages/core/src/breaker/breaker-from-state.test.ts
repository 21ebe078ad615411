import { readFileSync } from 'node:fs';
import { virtualClock } from '@redrive/testkit';
import { expect, test } from 'vitest';
import { RedriveError } from '../errors/redrive-error.ts';
import type { CircuitBreakerState } from './breaker.ts';
import { REFUSED } from './breaker.ts';
import { breakerFromState } from './breaker-from-state.ts';
import type { CircuitBreakerOptions } from './breaker-options.ts';
import { circuitBreaker } from './circuit-breaker.ts';

const START_MS = Date.parse('2026-01-29T12:00:00.000Z');
const failure = { errorClass: 'retryable', effect: 'unknown' } as const;

/** As another program may have written it. */
const example: CircuitBreakerState = {
  policy_id: 'browser_state_timeout',
  state: 'closed',
  failure_count: 2,
  last_failure_time: '2026-01-29T12:00:00.000Z',
  threshold: 5,
  timeout: 60.0,
  last_state_change: '2026-01-29T12:00:00.000Z',
};

function opened(options: CircuitBreakerOptions = {}) {
  const clock = virtualClock({ startMs: START_MS, monotonicMs: 3_000 });
  const breaker = circuitBreaker({ key: 'browser_state_timeout', clock, ...options });
  for (let i = 0; i < 5; i++) {
    if (i > 0) clock.tick(1_000);
    breaker.record(breaker.admit(), failure);
  }
  return { clock, breaker };
}

test('the exported document is the golden file, byte for byte', () => {
  const golden = readFileSync(
    new URL('golden/circuit-breaker-state.json', import.meta.url),
    'utf8',
  );
  expect(`${JSON.stringify(opened().breaker.toState(), null, 2)}\n`).toBe(golden);
});

test('without a failure there is no time of the last one', () => {
  const clock = virtualClock({ startMs: START_MS });
  expect(circuitBreaker({ key: 'quiet', clock }).toState()).toStrictEqual({
    policy_id: 'quiet',
    state: 'closed',
    failure_count: 0,
    threshold: 5,
    timeout: 60,
    last_state_change: '2026-01-29T12:00:00.000Z',
    redrive: { schema_version: 1, calls: 0, isolated: false },
  });
});

test('a document with two failures goes on counting at two', () => {
  const clock = virtualClock({ startMs: START_MS });
  const breaker = breakerFromState(example, { clock });
  expect(breaker.toState()).toMatchObject(example);
  for (let i = 0; i < 2; i++) breaker.record(breaker.admit(), failure);
  expect(breaker.state).toBe('closed');
  breaker.record(breaker.admit(), failure);
  expect(breaker.state).toBe('open');
});

test.each(['closed', 'open', 'half_open'] as const)('%s comes back as it was', (state) => {
  const clock = virtualClock({ startMs: START_MS + 1_000 });
  const document = {
    ...example,
    state,
    timeout: 1.001,
    redrive: { schema_version: 1, calls: 0, isolated: false },
  } as const;
  expect(breakerFromState(document, { clock }).toState()).toStrictEqual(document);
});

test('an open state waits for the rest of its timeout', () => {
  const { clock, breaker } = opened();
  clock.tick(20_000);
  const other = virtualClock({ startMs: clock.now() });
  const restored = breakerFromState(breaker.toState(), { clock: other });
  expect(restored.openForMs()).toBe(40_000);
  expect(restored.admit()).toBe(REFUSED);
  other.tick(40_000);
  expect(restored.admit()).not.toBe(REFUSED);
});

test('an open state whose timeout has passed lets a probe through', () => {
  const { breaker } = opened();
  const clock = virtualClock({ startMs: START_MS + 3_600_000 });
  const restored = breakerFromState(breaker.toState(), { clock });
  expect(restored.state).toBe('open');
  restored.record(restored.admit(), undefined);
  expect(restored.state).toBe('closed');
});

test('a clock that was set back holds it open for no longer than its timeout', () => {
  const clock = virtualClock({ startMs: START_MS - 86_400_000 });
  const restored = breakerFromState(opened().breaker.toState(), { clock });
  expect(restored.openForMs()).toBe(60_000);
});

test('a half-open state has no probe under way here', () => {
  const restored = breakerFromState({ ...example, state: 'half_open' }, { probes: 2 });
  for (let i = 0; i < 2; i++) restored.record(restored.admit(), undefined);
  expect(restored.state).toBe('closed');
});

test('an isolated one comes back as open, and lets a probe through after its timeout', () => {
  const clock = virtualClock({ startMs: START_MS });
  const breaker = circuitBreaker({ clock });
  breaker.isolate();
  const document = breaker.toState();
  expect(document).toMatchObject({ state: 'open', failure_count: 0, redrive: { isolated: true } });
  const restored = breakerFromState(document, { clock });
  expect(restored.isolated).toBe(false);
  expect(restored.admit()).toBe(REFUSED);
  clock.tick(60_000);
  expect(restored.admit()).not.toBe(REFUSED);
});

test('mode ratio goes on with the calls in the window, while they are in it', () => {
  const clock = virtualClock({ startMs: START_MS });
  const options = { clock, mode: 'ratio', minimumCalls: 5 } as const;
  const breaker = circuitBreaker(options);
  for (let i = 0; i < 4; i++) breaker.record(breaker.admit(), i % 2 === 0 ? failure : undefined);
  const document = breaker.toState();
  expect(document).toMatchObject({ failure_count: 2, redrive: { calls: 4 } });

  clock.tick(9_999);
  const soon = breakerFromState(document, options);
  expect(soon.toState()).toMatchObject({ failure_count: 2, redrive: { calls: 4 } });
  soon.record(soon.admit(), failure);
  expect(soon.state).toBe('open');

  clock.tick(1);
  expect(breakerFromState(document, options).failureCount).toBe(0);
});

test('mode ratio takes a plain document’s failures for its calls, and forgets undated ones', () => {
  const clock = virtualClock({ startMs: START_MS });
  const { last_failure_time: _, ...undated } = example;
  const calls = (document: CircuitBreakerState) =>
    breakerFromState(document, { clock, mode: 'ratio' }).toState().redrive?.calls;
  expect(calls(example)).toBe(2);
  expect(calls(undated)).toBe(0);
});

test('null stands for no failure yet', () => {
  const document = { ...example, last_failure_time: null };
  // @ts-expect-error: what other writers may give
  expect(breakerFromState(document).toState()).not.toHaveProperty('last_failure_time');
});

function problems(document: unknown): string[] {
  try {
    // @ts-expect-error: anything may come from a file
    breakerFromState(document);
    return [];
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_record' });
    // @ts-expect-error: seen to be a RedriveError with problems
    return error.details.problems.map(({ field }) => field);
  }
}

test('refuses an invalid document with every problem at once', () => {
  expect(problems(example)).toEqual([]);
  expect(problems(undefined)).toEqual(['it']);
  expect(problems(null)).toEqual(['it']);
  expect(problems({})).toEqual([...requiredFields, 'last_state_change']);
  expect(
    problems({
      policy_id: 7,
      state: 'ajar',
      failure_count: -1,
      last_failure_time: 'yesterday',
      threshold: 0,
      timeout: 0,
      last_state_change: '2026-13-29T12:00:00.000Z',
      redrive: { schema_version: 2, calls: 0.5 },
    }),
  ).toEqual([
    ...requiredFields,
    'last_failure_time',
    'last_state_change',
    'schema_version',
    'calls',
  ]);
  expect(problems({ ...example, redrive: 'ours' })).toEqual(['redrive']);
  expect(problems({ ...example, last_failure_time: 1_706_529_600 })).toEqual(['last_failure_time']);
});

const requiredFields = ['policy_id', 'state', 'failure_count', 'threshold', 'timeout'];

test('a wrong option is named as one', () => {
  expect(() => breakerFromState(example, { probes: 0 })).toThrow(
    expect.objectContaining({ code: 'invalid_option' }),
  );
});

test('a time on the edge of what a date can hold is refused like any other wrong one', () => {
  const document = { ...example, last_failure_time: '-271821-04-19T23:59:59-01:00' };
  expect(() => breakerFromState(document)).toThrow(RedriveError);
});
