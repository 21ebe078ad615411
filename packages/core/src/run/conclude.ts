import { REFUSED } from '../breaker/breaker.ts';
import type { Classification, ClassifierAnswer } from '../classify/classification.ts';
import { classify, classifyBare, isInnerGiveUp } from '../classify/classify.ts';
import { meaning } from '../classify/meaning.ts';
import { type DecisionInput, decide } from '../decide/decide.ts';
import type { AttemptOutcome, Decision } from '../decide/decision.ts';
import { sessionRandom } from '../random/session-random.ts';
import type { Attempt } from './attempt.ts';
import type { FailedOutcome } from './attempt-context.ts';
import type { Session } from './session.ts';

/**
 * What follows a failed attempt: classify the failure, gather all that `decide` needs, apply the charge, remember the
 * failure. `known`: a returned value was classified before.
 */
export function conclude<T>(
  attempt: Attempt<T>,
  failed: FailedOutcome,
  known?: ClassifierAnswer,
): Decision {
  const { session, cut } = attempt;
  const { breaker } = session.options;
  if (cut?.by === 'breaker_open') {
    const retryAfterMs = breakerOpenMs(session);
    return decide(gather(attempt, { kind: 'blocked', cause: 'breaker_open', retryAfterMs }));
  }
  const error = failed.kind === 'error' ? failed.error : failed.value;
  const classified =
    cut?.by === 'abort'
      ? ABORTED
      : known
        ? meaning(known.errorClass, known.effect, known.retryAfterMs)
        : classifyError(session, attempt.attempt, error);
  if (attempt.permit !== REFUSED) breaker?.record(attempt.permit, classified);
  const { errorClass, effect, retryAfterMs } = classified;
  const innerGaveUp = errorClass === 'final' && failed.kind === 'error' && isInnerGiveUp(error);
  const outcome = { kind: 'failure', errorClass, effect, retryAfterMs, innerGaveUp } as const;
  const input = gather(attempt, outcome);
  const decision = decide(input);
  if (decision.charge.budget) session.budget?.take(errorClass);
  const { attempt: number, startedAtMs, startMs } = attempt;
  session.remember({
    attempt: number,
    startedAtMs,
    durationMs: session.clock.monotonic() - startMs,
    delayBeforeMs: session.lastFailure?.waitMs ?? 0,
    delayMs: decision.delayMs ?? 0,
    errorClass,
    effect,
    retryAfterMs,
    reason: decision.reason,
    error,
    outcome: failed,
    waitMs: decision.action === 'retry' ? decision.delayMs : 0,
  });
  session.recorder?.failed(attempt, failed, input, decision);
  if (decision.action === 'retry' && session.isNested) session.retries.count++;
  return decision;
}

const ABORTED: Classification = { errorClass: 'ignored', effect: 'unknown' };

function classifyError<T>(session: Session<T>, attempt: number, error: unknown): Classification {
  const { policy, clock, signal } = session;
  return (
    classifyBare(error, policy) ?? classify(error, policy, { attempt, nowMs: clock.now(), signal })
  );
}

/** What `decide` needs to know. */
export function gather<T>(
  { session, attempt }: Attempt<T>,
  outcome: AttemptOutcome,
): DecisionInput {
  const { policy, options, budget } = session;
  const hinted = outcome.kind === 'failure' && outcome.retryAfterMs !== undefined;
  return {
    policy,
    account: {
      charged: attempt,
      freeWaits: 0,
      freeWaitMs: 0,
      lastDelayMs: session.lastFailure?.waitMs ?? 0,
    },
    outcome,
    rung: 'call',
    horizonMs: policy.horizonMs,
    canHandOver: options.handOver !== undefined,
    timeLeftMs: session.timeLeftMs(),
    allowance: session.isNested ? policy.maxAttempts - 1 - session.retries.count : Infinity,
    budgetAllows: outcome.kind !== 'failure' || (budget?.allows(outcome.errorClass) ?? true),
    breakerOpenMs: breakerOpenMs(session),
    onUnknown: 'retry',
    // Where nothing is spread, the number changes nothing and its cost can be saved.
    random: hinted || policy.jitter !== 'none' ? sessionRandom(session.id, attempt) : 0,
  };
}

function breakerOpenMs<T>({ options }: Session<T>): number {
  return options.breaker?.openForMs() ?? 0;
}
