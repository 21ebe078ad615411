import type { Decision, ReasonCode } from '../decide/decision.ts';
import { RetryError } from '../errors/retry-error.ts';
import type { FailedOutcome } from './attempt-context.ts';
import { handOverSession } from './hand-over-session.ts';
import type { SessionState } from './session-state.ts';

/** Ends a session that goes no further on this rung, with what the caller gets. */
export async function finish<T>(
  session: SessionState,
  failed: FailedOutcome,
  decision: Decision,
): Promise<T> {
  // After a refused attempt this is the attempt before, if there was one.
  const { lastFailure } = session;
  const reason =
    decision.action === 'hand-over'
      ? await handOverSession(session, decision.delayMs)
      : decision.reason;
  session.recorder?.ended(reason, lastFailure?.outcome);
  if (isAnswer(reason)) {
    if (reason === 'cancelled') session.signal?.throwIfAborted();
    if (failed.kind === 'value') return failed.value as T; // The operation returned it: it is a T.
    throw failed.error;
  }
  const { options, policy, clock } = session;
  throw new RetryError(
    {
      reason,
      operation: options.operation ?? policy.id,
      category: options.category ?? policy.id,
      sessionId: session.id,
      attempts: lastFailure?.toArray() ?? [],
      totalAttempts: lastFailure?.attempt ?? 0,
      failure: session.lastClassification,
      retryAt:
        decision.delayMs === undefined ? undefined : new Date(clock.now() + decision.delayMs),
    },
    lastFailure?.error,
  );
}

/** A final error and the caller's own cancellation come out as they are: there was nothing to give up. */
function isAnswer(reason: ReasonCode): boolean {
  return reason === 'final_error' || reason === 'inner_gave_up' || reason === 'cancelled';
}
