import type { Classification } from '../classify/classification.ts';
import { classify, classifyBare, isInnerGiveUp } from '../classify/classify.ts';
import { type DecisionInput, decide } from '../decide/decide.ts';
import type { AttemptOutcome, Decision } from '../decide/decision.ts';
import { sessionRandom } from '../random/session-random.ts';
import type { FailedOutcome } from './attempt-context.ts';
import { errorOf, Failure } from './failure.ts';
import { GuardedAttempt } from './guarded-attempt.ts';
import type { ConcludedAttempt, SessionState } from './session-state.ts';

/** What follows a failed attempt: classify it, gather what `decide` needs, apply the charge, note it all. */
export function conclude(
  session: SessionState,
  attempt: ConcludedAttempt,
  failed: FailedOutcome,
  known: Classification | undefined,
): Decision {
  attempt.fail(errorOf(failed));
  const outcome = classifyOutcome(session, attempt, failed, known);
  const input = gather(session, attempt.attempt, outcome);
  const decision = decide(input);
  if (outcome.kind === 'failure') {
    session.lastClassification = outcome;
    if (decision.charge.budget) session.budget?.take(outcome.errorClass);
    const delayMs = decision.action === 'retry' ? decision.delayMs : 0;
    const told = attempt instanceof GuardedAttempt &&
      session.options.handOver !== undefined && {
        attempt: attempt.attempt,
        startedAtMs: attempt.startedAtMs,
        durationMs: session.clock.monotonic() - attempt.startMs,
        delayBeforeMs: session.lastFailure?.delayMs ?? 0,
        delayMs: decision.delayMs ?? 0,
        errorClass: outcome.errorClass,
        reason: decision.reason,
        error: errorOf(failed),
      };
    session.lastFailure = new Failure(
      attempt.attempt,
      failed,
      delayMs,
      session.lastFailure,
      told || undefined,
    );
    session.recorder?.failed(attempt.attempt, failed, input, decision);
  }
  if (decision.action === 'retry' && session.retries !== undefined) session.retries.count++;
  return decision;
}

function classifyOutcome(
  session: SessionState,
  attempt: ConcludedAttempt,
  failed: FailedOutcome,
  known: Classification | undefined,
): AttemptOutcome {
  if (attempt.cut === 'breaker_open') {
    return { kind: 'blocked', cause: 'breaker_open', retryAfterMs: breakerOpenMs(session) };
  }
  const error = failed.kind === 'error' ? failed.error : undefined;
  const classification =
    attempt.cut === 'abort' ? ABORTED : (known ?? classifyError(session, attempt.attempt, error));
  attempt.report(classification);
  const { errorClass, effect, retryAfterMs } = classification;
  return {
    kind: 'failure',
    errorClass,
    effect,
    retryAfterMs,
    innerGaveUp: errorClass === 'final' && isInnerGiveUp(error),
  };
}

const ABORTED: Classification = { errorClass: 'ignored', effect: 'unknown' };

function classifyError(session: SessionState, attempt: number, error: unknown): Classification {
  return (
    classifyBare(error, session.policy) ??
    classify(error, session.policy, {
      attempt,
      nowMs: session.clock.now(),
      signal: session.signal,
    })
  );
}

/** What `decide` needs to know. */
export function gather(
  session: SessionState,
  attempt: number,
  outcome: AttemptOutcome,
): DecisionInput {
  const { policy, options } = session;
  const hinted = outcome.kind === 'failure' && outcome.retryAfterMs !== undefined;
  return {
    policy,
    account: {
      charged: attempt,
      freeWaits: 0,
      freeWaitMs: 0,
      lastDelayMs: session.lastFailure?.delayMs ?? 0,
    },
    outcome,
    rung: 'call',
    horizonMs: policy.horizonMs,
    canHandOver: options.handOver !== undefined,
    timeLeftMs: session.timeLeftMs(),
    allowance:
      session.retries === undefined ? Infinity : policy.maxAttempts - 1 - session.retries.count,
    budgetAllows:
      outcome.kind !== 'failure' || (session.budget?.allows(outcome.errorClass) ?? true),
    breakerOpenMs: breakerOpenMs(session),
    onUnknown: 'retry',
    // Where nothing is spread, the number changes nothing and its cost can be saved.
    random: hinted || policy.jitter !== 'none' ? sessionRandom(session.id, attempt) : 0,
  };
}

function breakerOpenMs({ options }: SessionState): number {
  return options.breaker?.openForMs() ?? 0;
}
