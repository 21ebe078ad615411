import type { Policy } from '../policy/policy.ts';
import type { AttemptContext } from './attempt-context.ts';
import { retry } from './retry.ts';
import type { RetryOptions } from './retry-options.ts';

/** One turn of a loop that the caller owns. */
export interface LoopAttempt {
  /** The context that an operation given to `retry` would get. */
  readonly context: AttemptContext;
  readonly attempt: number;
  readonly signal: AbortSignal;
  /** The attempt succeeded: the loop ends. The same as reaching the end of its body without a verdict. */
  succeed(): void;
  /** The attempt failed: the loop waits and goes on, or throws what `retry` would reject with. */
  fail(error: unknown): void;
}

/**
 * Retries as a loop, for code that does not fit into a function: streams, queues, state that lives around the loop.
 *
 * ```ts
 * for await (const attempt of retrySession({ maxAttempts: 5 })) {
 *   try {
 *     await send(batch, attempt.signal);
 *   } catch (error) {
 *     attempt.fail(error);
 *   }
 * }
 * ```
 *
 * Say `succeed()` before a `return` or `break` out of the body. Leaving it without a verdict abandons the session: that
 * counts for nothing, neither as a success nor as a failure, because an error on its way out looks the same.
 */
export async function* retrySession(
  policy?: Policy,
  options: RetryOptions = {},
): AsyncGenerator<LoopAttempt, void, undefined> {
  const abandon = new AbortController();
  const signal = options.signal
    ? AbortSignal.any([options.signal, abandon.signal])
    : abandon.signal;
  let offered: LoopAttempt | undefined;
  let over = false;
  // One promise at a time: racing each attempt against the end of the session would keep something for each of them.
  let wake = () => {};
  const session = retry<void>(
    (context) =>
      new Promise((succeed, fail) => {
        offered = { context, attempt: context.attempt, signal: context.signal, succeed, fail };
        wake();
      }),
    policy,
    { ...options, signal },
  ).finally(() => {
    over = true;
    wake();
  });
  // A caller that leaves the loop early does not handle this rejection.
  session.catch(() => {});
  try {
    for (;;) {
      if (offered === undefined && !over) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (over) return await session;
      const attempt: LoopAttempt | undefined = offered;
      offered = undefined;
      // A body that ignores its signal returns late: an attempt that timed out meanwhile is not given to it.
      if (attempt === undefined || attempt.signal.aborted) continue;
      yield attempt;
      attempt.succeed();
    }
  } finally {
    abandon.abort();
  }
}
