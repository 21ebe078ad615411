import { AsyncLocalStorage } from 'node:async_hooks';
import type { Policy } from './policy/policy.ts';
import type { Operation } from './run/attempt.ts';
import type { AttemptContext } from './run/attempt-context.ts';
import { retry as retryExplicitly } from './run/retry.ts';
import type { RetryOptions } from './run/retry-options.ts';

const attempts = new AsyncLocalStorage<AttemptContext>();

/**
 * `retry` that knows when it is called inside another `retry` of this module, however deep: both then share one attempt
 * account and one deadline, without passing `parent` along. Costs an `AsyncLocalStorage.run` per attempt.
 */
export function retry<T>(
  operation: Operation<T>,
  policy?: Policy,
  options: RetryOptions = {},
): Promise<T> {
  const parent = options.parent ?? attempts.getStore();
  return retryExplicitly(
    (context) => attempts.run(context, operation, context),
    policy,
    parent === undefined ? options : { ...options, parent },
  );
}

/** The attempt that this code runs in, if it runs in one of this module's `retry`. */
export function currentAttempt(): AttemptContext | undefined {
  return attempts.getStore();
}
