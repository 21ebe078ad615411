import {
  type FieldProblem,
  type FieldRules,
  fieldProblems,
  problem,
  refuse,
} from '../fields/check-fields.ts';
import {
  type CircuitBreakerOptions,
  durationMs,
  type ResolvedBreakerOptions,
  resolveBreakerOptions,
} from './breaker-options.ts';
import type { CircuitBreakerState } from './breaker-state.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { halfOpen, type State } from './states.ts';
import { newTally } from './tally.ts';

const count = { kind: 'integer', min: 0, max: 1_000_000_000 } as const;

const FIELDS: FieldRules = {
  policy_id: { kind: 'string' },
  state: { kind: 'choice', values: ['closed', 'open', 'half_open'] },
  failure_count: count,
  threshold: { ...count, min: 1 },
  timeout: { ...durationMs, max: durationMs.max / 1000 },
};

const OUR_FIELDS: FieldRules = {
  schema_version: { kind: 'integer', min: 1, max: 1 },
  calls: count,
};

const ISO = 'an ISO 8601 time';
const ISO_8601 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Makes a circuit breaker that goes on where an exported one was: from `toState()`'s document, or any in that shape.
 * Key, threshold and timeout are the document's; all other settings are `options`, as for `circuitBreaker`.
 *
 * What passed in between is taken from the wall clock, the only one that two processes share: an open state whose
 * timeout is over lets a probe through, and in mode `ratio` failures that have left the window are forgotten. A clock
 * that was set back cannot hold it open for longer than its timeout. Isolation is not carried over, since nobody would
 * hold its handle: it comes back as open.
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
  const { last_failure_time: lastFailure, last_state_change: change, redrive } = document;
  const problems = fieldProblems(document, FIELDS);
  if (lastFailure != null && !isTime(lastFailure))
    problems.push(problem('last_failure_time', ISO, lastFailure));
  if (!isTime(change)) problems.push(problem('last_state_change', ISO, change));
  if (isObject(redrive)) problems.push(...fieldProblems(redrive, OUR_FIELDS));
  else if (redrive !== undefined) problems.push(problem('redrive', 'an object', redrive));
  return problems;
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && ISO_8601.test(value) && !Number.isNaN(Date.parse(value));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
