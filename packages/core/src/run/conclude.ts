import type { Classification } from '../classify/classification.ts';
import { classify, isInnerGiveUp } from '../classify/classify.ts';
import { type DecisionInput, decide } from '../decide/decide.ts';
import type { AttemptOutcome, Decision } from '../decide/decision.ts';
import { type AttemptFailure, MAX_FAILURES_KEPT } from '../errors/retry-error.ts';
import { sessionRandom } from '../random/session-random.ts';
import type { FailedOutcome } from './attempt-context.ts';
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
  const input = gather(session, outcome);
  const decision = decide(input);
  if (decision.charge.budget && outcome.kind === 'failure')
    session.budget?.take(outcome.errorClass);
  if (decision.action === 'retry' && session.allowance !== undefined) session.allowance.left--;
  session.lastDelayMs = decision.action === 'retry' ? decision.delayMs : 0;
  if (outcome.kind === 'failure') {
    const error = errorOf(failed);
    session.lastOutcome = failed;
    const failure = { attempt: attempt.attempt, error, delayMs: session.lastDelayMs };
    session.failures = append(session.failures, failure);
    session.recorder?.failed(attempt.attempt, failed, input, decision);
  }
  return decision;
}

/** Neither pushed nor spread for the first: both reserve room for more than most sessions ever have. */
function append(
  failures: readonly AttemptFailure[],
  failure: AttemptFailure,
): readonly AttemptFailure[] {
  return failures.length === 0 ? [failure] : [...failures.slice(1 - MAX_FAILURES_KEPT), failure];
}

/** What failed: the error, or the value that counts as one. */
export function errorOf(failed: FailedOutcome): unknown {
  return failed.kind === 'error' ? failed.error : failed.value;
}

function classifyOutcome(
  session: SessionState,
  attempt: ConcludedAttempt,
  failed: FailedOutcome,
  known: Classification | undefined,
): AttemptOutcome {
  if (attempt.cut === 'breaker_open') {
    return {
      kind: 'blocked',
      cause: 'breaker_open',
      retryAfterMs: session.options.breaker?.openForMs() ?? 0,
    };
  }
  session.attempts++;
  const error = failed.kind === 'error' ? failed.error : undefined;
  const classification =
    attempt.cut === 'abort' ? ABORTED : (known ?? classifyError(session, error));
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

function classifyError(session: SessionState, error: unknown): Classification {
  return classify(error, session.policy, {
    attempt: session.attempts,
    nowMs: session.clock.now(),
    signal: session.signal,
  });
}

/** What `decide` needs to know. */
export function gather(session: SessionState, outcome: AttemptOutcome): DecisionInput {
  const { policy, options } = session;
  const hinted = outcome.kind === 'failure' && outcome.retryAfterMs !== undefined;
  return {
    policy,
    account: {
      charged: session.attempts,
      freeWaits: 0,
      freeWaitMs: 0,
      lastDelayMs: session.lastDelayMs,
    },
    outcome,
    rung: 'call',
    horizonMs: policy.horizonMs,
    canHandOver: options.handOver !== undefined,
    timeLeftMs: session.timeLeftMs(),
    allowance: session.allowance?.left ?? Infinity,
    budgetAllows:
      outcome.kind !== 'failure' || (session.budget?.allows(outcome.errorClass) ?? true),
    breakerOpenMs: options.breaker?.openForMs() ?? 0,
    onUnknown: 'retry',
    // Where nothing is spread, the number changes nothing and its cost can be saved.
    random: hinted || policy.jitter !== 'none' ? sessionRandom(session.id, session.attempts) : 0,
  };
}
