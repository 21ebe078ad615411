import {
  type FieldProblem,
  type FieldRules,
  fieldProblems,
  problem,
  refuse,
} from '../fields/check-fields.ts';
import { check, isObject, isTime } from '../fields/rules.ts';
import type { CircuitBreakerState } from './breaker.ts';
import {
  type CircuitBreakerOptions,
  durationMs,
  type ResolvedBreakerOptions,
  resolveBreakerOptions,
} from './breaker-options.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { halfOpen, type State } from './states.ts';
import { newTally } from './tally.ts';

const ISO = 'an ISO 8601 time';
const count = { kind: 'integer', min: 0, max: 1_000_000_000 } as const;

const FIELDS: FieldRules = {
  policy_id: { kind: 'string' },
  state: { kind: 'choice', values: ['closed', 'open', 'half_open'] },
  failure_count: count,
  threshold: { ...count, min: 1 },
  timeout: { ...durationMs, max: durationMs.max / 1000 },
  last_failure_time: check(ISO, (value) => value == null || isTime(value)),
  last_state_change: check(ISO, isTime),
  'redrive?': check('an object', isObject),
};

const OUR_FIELDS: FieldRules = {
  schema_version: { kind: 'integer', min: 1, max: 1 },
  calls: count,
};

/**
 * Makes a circuit breaker that goes on where an exported one was: from `toState()`'s document, or any in that shape.
 * Key, threshold and timeout are the document's; all other settings are `options`, as for `circuitBreaker`.
 *
 * The time that has passed is taken from the wall clock, the only one that two processes share: an open state whose
 * timeout is over lets a probe through, and in mode `ratio` failures that have left the window are forgotten. A clock
 * that was set back cannot hold it open for longer than its timeout. Isolation is not carried over, since nobody would
 * hold its handle: the breaker is then open.
 *
 * @throws RedriveError `invalid_record` with every problem at once.
 */
export function breakerFromState(
  document: CircuitBreakerState,
  options: Omit<CircuitBreakerOptions, 'key' | 'threshold' | 'timeoutMs'> = {},
): CircuitBreaker {
  refuse('invalid_record', 'circuit breaker state', documentProblems(document));
  const resolved = resolveBreakerOptions({
    ...options,
    key: document.policy_id,
    threshold: document.threshold,
    timeoutMs: document.timeout * 1000,
  });
  return new CircuitBreaker(resolved, {
    state: restore(document, resolved),
    changedAtMs: Date.parse(document.last_state_change),
    lastFailureAtMs: timeOf(document.last_failure_time),
  });
}

function restore(document: CircuitBreakerState, options: ResolvedBreakerOptions): State {
  const { state, failure_count: failures, redrive } = document;
  const { clock, mode, timeoutMs, windowMs } = options;
  const nowMs = clock.now();
  if (state === 'half_open') return halfOpen(options, failures);
  if (state === 'open') {
    const leftMs = Date.parse(document.last_state_change) + timeoutMs - nowMs;
    return { name: 'open', untilMs: clock.monotonic() + Math.min(timeoutMs, leftMs), failures };
  }
  const lastFailureAtMs = timeOf(document.last_failure_time) ?? -Infinity;
  const forgotten = mode === 'ratio' && nowMs - lastFailureAtMs >= windowMs;
  const counts = { calls: Math.max(redrive?.calls ?? 0, failures), failures };
  return { name: 'closed', permit: 0, tally: newTally(options, forgotten ? undefined : counts) };
}

/** A writer without `undefined` says null. */
function timeOf(time: string | null | undefined): number | undefined {
  return time == null ? undefined : Date.parse(time);
}

function documentProblems(document: unknown): FieldProblem[] {
  if (!isObject(document)) return [problem('it', 'an object', document)];
  const ours = isObject(document.redrive) ? fieldProblems(document.redrive, OUR_FIELDS) : [];
  return [...fieldProblems(document, FIELDS), ...ours];
}
