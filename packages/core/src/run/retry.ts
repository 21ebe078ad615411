import type { Classification } from '../classify/classification.ts';
import { RedriveError } from '../errors/redrive-error.ts';
import { isPlain } from '../policy/define-policy.ts';
import type { Policy, ResolvedPolicy } from '../policy/policy.ts';
import { recallPolicy } from '../policy/recall-policy.ts';
import { abortHubOf } from './abort-hub.ts';
import { AbortableAttempt } from './abortable-attempt.ts';
import { Attempt, type Operation } from './attempt.ts';
import type { FailedOutcome } from './attempt-context.ts';
import { GuardedAttempt } from './guarded-attempt.ts';
import { keepShapesAlive } from './live-shapes.ts';
import { NO_OPTIONS, type RetryOptions } from './retry-options.ts';
import { Session } from './session.ts';

const DEFAULTS: Policy = {};

/**
 * Calls `operation` until it succeeds, its error is final, or the policy says enough.
 *
 * ```ts
 * const user = await retry(({ signal }) => fetchUser(id, signal), { maxAttempts: 5, baseDelayMs: 200 });
 * ```
 *
 * The default policy is 3 attempts, 1 s and 2 s apart, ±10 %. Rejects with the error itself when it is final or the
 * caller aborted, with a `RetryError` when the session gave up, and with `invalid_policy` before the first attempt when
 * the policy is wrong.
 */
export function retry<T>(
  operation: Operation<T>,
  policy: Policy = DEFAULTS,
  options: RetryOptions = NO_OPTIONS,
): Promise<T> {
  keepShapesAlive();
  let attempt: Attempt<T>;
  try {
    const resolved = recallPolicy(policy);
    if (!isPlain(resolved) || isGuarded(options)) return retryGuarded(operation, resolved, options);
    const { signal } = options;
    // Plain JavaScript may say `null` for none.
    if (!signal) attempt = new Attempt(operation, resolved, options, undefined, 1);
    else if (signal.aborted) return Promise.reject(signal.reason);
    else attempt = new AbortableAttempt(operation, resolved, options, signal);
  } catch (error) {
    return Promise.reject(error);
  }
  let outcome: Promise<T>;
  // The operation is called from here and not from a method: each frame in between costs the errors that it makes.
  try {
    outcome = Promise.resolve(operation(attempt));
  } catch (error) {
    outcome = Promise.reject(error);
  }
  return attempt.follow(outcome, afterError);
}

/** Whether an option must be told of a success, or can end an attempt from outside in another way than the signal. */
function isGuarded(options: RetryOptions): boolean {
  return (
    options !== NO_OPTIONS &&
    (options.events !== undefined ||
      options.breaker !== undefined ||
      options.bulkhead !== undefined ||
      options.parent !== undefined ||
      options.ledger !== undefined ||
      options.idempotencyKey !== undefined ||
      options.handOver !== undefined ||
      Boolean(options.budget))
  );
}

function retryGuarded<T>(
  operation: Operation<T>,
  policy: ResolvedPolicy,
  options: RetryOptions,
): Promise<T> {
  if (policy.enableCircuitBreaker && policy.enabled && options.breaker === undefined) {
    throw new RedriveError(
      'breaker_missing',
      `Policy ${policy.id} enables a circuit breaker, and the call has none: pass { breaker }, or use pipeline()`,
    );
  }
  // Refuses what is no signal here, before the operation runs; the attempts look the hub up again.
  if (options.signal) abortHubOf(options.signal);
  if (options.events !== undefined && typeof options.events.open !== 'function') {
    throw new RedriveError(
      'invalid_option',
      'events must be a sink: make one of a function with syncSink() or eventSink()',
    );
  }
  // A copy, because a caller may use the object again for its next call: neither key nor breaker may change under way.
  const attempt = new GuardedAttempt(operation, policy, { ...options }, undefined, 1);
  if (options.events !== undefined) attempt.record(options.events, new Session(attempt));
  const { ledger, idempotencyKey: key, fingerprint, onInProgress } = options;
  if (ledger === undefined || key === undefined) return runGuarded(attempt);
  const { clock, callerSignal: signal, recorder } = attempt;
  const onUse = (action: 'hit' | 'record') => recorder?.used(key, action);
  const waitMs = attempt.timeLeftMs();
  return ledger.once({ key, fingerprint, onInProgress, waitMs, clock, signal, onUse }, () =>
    runGuarded(attempt),
  );
}

function runGuarded<T>(attempt: GuardedAttempt<T>): Promise<T> {
  return start(attempt).then(
    (value) => {
      const failure = attempt.judge(value);
      return failure === undefined ? value : goOn(attempt, { kind: 'value', value }, failure);
    },
    (error) => afterError(attempt, error),
  );
}

/** What the operation, or a port, throws at once is a rejection like any other. */
function start<T>(attempt: GuardedAttempt<T>): Promise<T> {
  try {
    const entered = attempt.enter();
    if (entered !== undefined) return entered.then(() => callAfter(attempt));
    return attempt.guard(attempt.operation(attempt));
  } catch (error) {
    return Promise.reject(error);
  }
}

/** In the queue of a bulkhead the caller may have left in the moment when the slot came. */
function callAfter<T>(attempt: GuardedAttempt<T>): Promise<T> {
  attempt.callerSignal?.throwIfAborted();
  return attempt.guard(attempt.operation(attempt));
}

function afterError<T>(attempt: Attempt<T>, error: unknown): Promise<T> {
  return goOn(attempt, { kind: 'error', error });
}

function goOn<T>(
  attempt: Attempt<T>,
  outcome: FailedOutcome,
  failure?: Classification,
): Promise<T> {
  return (attempt.session ?? new Session(attempt)).goOn(attempt, outcome, failure);
}
