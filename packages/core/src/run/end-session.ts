import { rememberFinal } from '../classify/judged-final.ts';
import type { Decision } from '../decide/decision.ts';
import { MAX_FAILURES_KEPT, RetryError } from '../errors/retry-error.ts';
import { handOver } from '../hand-over/hand-over.ts';
import type { Outcome, Session } from './session.ts';

/** How a session ends: `decide` said so, or a kill switch did. */
type Ending =
  | Exclude<Decision, { action: 'retry' | 'give-up' }>
  | Omit<Extract<Decision, { action: 'give-up' }>, 'charge'>;

/**
 * Ends a session that goes no further in process: hands it over if that was decided, and returns or throws what the
 * caller of `retry` gets.
 */
export async function endSession<T>(
  session: Session<T>,
  outcome: Outcome<T>,
  ending: Ending,
): Promise<T> {
  const { delayMs } = ending;
  const handsOver = ending.action === 'hand-over';
  const handOverFailure = handsOver ? await handOver(session, ending.delayMs) : undefined;
  const reason = handsOver && !handOverFailure ? 'handed_over' : ending.reason;
  // After a refused attempt this is the attempt before, if there was one.
  const { lastFailure: failure, policy, options, clock, signal } = session;
  session.recorder?.ended(reason, failure?.outcome);
  // A final error and the caller's own cancellation come out as they are: there was nothing to give up.
  if (reason === 'final_error' || reason === 'inner_gave_up' || reason === 'cancelled') {
    if (reason === 'cancelled') signal?.throwIfAborted();
    if (outcome.kind === 'value') return outcome.value;
    if (reason === 'final_error') rememberFinal(outcome.error, failure?.effect);
    throw outcome.error;
  }
  throw new RetryError(
    {
      reason,
      operation: session.operationName,
      dependency: policy.dependency,
      category: options.category ?? policy.id,
      sessionId: session.id,
      attempts: session.failures
        .slice(-MAX_FAILURES_KEPT)
        .map(({ attempt, error, waitMs }) => ({ attempt, error, delayMs: waitMs })),
      totalAttempts: session.failedAttempts,
      maxAttempts: session.maxAttempts,
      elapsedMs: clock.monotonic() - session.startMs,
      failure,
      handOverFailure,
      retryAt: delayMs === undefined ? undefined : new Date(clock.now() + delayMs),
    },
    failure?.error,
  );
}
