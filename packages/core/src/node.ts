import { AsyncLocalStorage } from 'node:async_hooks';
import type { Policy } from './policy/policy.ts';
import type { AttemptContext, Operation, ParentSession } from './run/attempt-context.ts';
import { retry as retryExplicitly } from './run/retry.ts';
import type { RetryOptions } from './run/retry-options.ts';

/** The attempt of a call or of a job, as code inside it sees it. */
export type CurrentAttempt = ParentSession &
  Pick<AttemptContext, 'attempt' | 'maxAttempts' | 'signal' | 'idempotencyKey'>;

const attempts = new AsyncLocalStorage<CurrentAttempt>();

/**
 * `retry` that knows when it is called inside another `retry` of this module, however deep: both then share one attempt
 * account and one deadline, without passing `parent` along. Costs an `AsyncLocalStorage.run` per attempt.
 */
export function retry<T>(
  operation: Operation<T>,
  policy?: Policy,
  options: RetryOptions = {},
): Promise<T> {
  // The plain `retry` refuses a value that is neither a function nor an object.
  const isObject = typeof options === 'object' && options !== null;
  const parent = isObject ? (options.parent ?? attempts.getStore()) : undefined;
  return retryExplicitly(
    typeof operation === 'function'
      ? (context) => attempts.run(context, operation, context)
      : operation,
    policy,
    parent === undefined ? options : { ...options, parent },
  );
}

/** The attempt that this code runs in: of this module's `retry`, or of a job. */
export function currentAttempt(): CurrentAttempt | undefined {
  return attempts.getStore();
}

/**
 * Runs `run` in an attempt that something else than `retry` makes, so that `currentAttempt()` knows it and calls of this
 * module's `retry` inside are nested in it. A worker does so around each handler.
 */
export function runInAttempt<R>(attempt: CurrentAttempt, run: () => R): R {
  return attempts.run(attempt, run);
}
