import { RedriveError } from '../errors/redrive-error.ts';
import { runOnce } from '../ledger/once.ts';
import { acceptEveryValue } from '../policy/define-policy.ts';
import type { Policy, ResolvedPolicy } from '../policy/policy.ts';
import { recallPolicy } from '../policy/recall-policy.ts';
import { Attempt, type Operation } from './attempt.ts';
import type { RetryOptions } from './retry-options.ts';
import { Session } from './session.ts';

const DEFAULTS: Policy = {};
const NO_OPTIONS: RetryOptions = {};

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
  try {
    const resolved = recallPolicy(policy);
    return isPlain(resolved, options)
      ? retryPlain(operation, resolved, options)
      : retryGuarded(operation, resolved, options);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Nothing has to be told of a success, and nothing can end an attempt from outside. */
function isPlain(policy: ResolvedPolicy, options: RetryOptions): boolean {
  return (
    policy.attemptTimeoutMs === Infinity &&
    policy.ttlMs === Infinity &&
    policy.dependency === '' &&
    policy.classifyResult === acceptEveryValue &&
    !policy.enableCircuitBreaker &&
    (options === NO_OPTIONS ||
      (options.signal === undefined &&
        options.events === undefined &&
        options.breaker === undefined &&
        !options.budget &&
        options.bulkhead === undefined &&
        options.ledger === undefined &&
        options.parent === undefined))
  );
}

/** The fast path: on success one object, one closure and one `then`. */
function retryPlain<T>(operation: Operation<T>, policy: ResolvedPolicy, options: RetryOptions): Promise<T> {
  const attempt = new Attempt(operation, policy, options, undefined, 1);
  return attempt
    .run()
    .then(undefined, (error) =>
      new Session(operation, policy, options, attempt).goOn(attempt, { kind: 'error', error }),
    );
}

function retryGuarded<T>(operation: Operation<T>, policy: ResolvedPolicy, options: RetryOptions): Promise<T> {
  if (policy.enableCircuitBreaker && policy.enabled && options.breaker === undefined) {
    throw new RedriveError(
      'breaker_missing',
      `Policy ${policy.id} enables its circuit breaker, but the call was given none: pass { breaker } or use pipeline()`,
    );
  }
  const session = new Session(operation, policy, options);
  const { ledger, idempotencyKey: key } = options;
  if (ledger === undefined || key === undefined) return session.chain();
  return runOnce(
    ledger,
    {
      key,
      fingerprint: options.fingerprint,
      onInProgress: options.onInProgress,
      clock: session.clock,
      signal: session.signal,
      onUse: (action) => session.recorder?.used(key, action),
    },
    () => session.chain(),
  ) as Promise<T>; // What the ledger has under the key is what the operation returned then.
}
