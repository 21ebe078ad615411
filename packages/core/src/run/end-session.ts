import { rememberFinal } from '../classify/classify-stored.ts';
import type { ReasonCode } from '../decide/decision.ts';
import { type HandOverFailure, MAX_FAILURES_KEPT, RetryError } from '../errors/retry-error.ts';
import type { Session } from './session.ts';

/**
 * Ends a session that goes no further in process: returns or throws what the caller of `retry` gets.
 *
 * @param delayMs the wait after which another try could succeed.
 * @param handOverFailure the next rung did not take it.
 */
export function endSession<T>(
  session: Session<T>,
  reason: ReasonCode,
  delayMs?: number,
  handOverFailure?: HandOverFailure,
): T {
  // After a refused attempt this is the attempt before, if there was one.
  const { lastFailure: failure, policy, options, clock, signal } = session;
  session.recorder?.ended(reason, session.lastOutcome);
  // A final error and the caller's own cancellation come out as they are: there was nothing to give up.
  if (reason === 'final_error' || reason === 'inner_gave_up' || reason === 'cancelled') {
    if (reason === 'cancelled') signal?.throwIfAborted();
    if (failure?.kind === 'value') return failure.error as T; // The value that counted as a failure.
    if (reason === 'final_error') rememberFinal(failure?.error, failure?.effect);
    throw failure?.error;
  }
  throw new RetryError(
    {
      reason,
      operation: session.operationName,
      dependency: policy.dependency || options.breaker?.dependency,
      category: options.category ?? policy.id,
      sessionId: session.id,
      attempts: session.failures
        .slice(-MAX_FAILURES_KEPT)
        .map(({ attempt, error, delayMs }) => ({ attempt, error, delayMs })),
      totalAttempts: session.failedAttempts,
      maxAttempts: session.maxAttempts,
      failingMs: clock.monotonic() - session.failingSinceMs,
      failure,
      handOverFailure,
      retryAt: delayMs === undefined ? undefined : new Date(clock.now() + delayMs),
    },
    failure?.error,
  );
}
