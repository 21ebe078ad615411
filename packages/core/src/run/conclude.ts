import { REFUSED } from '../breaker/breaker.ts';
import type { Classification, ClassifierAnswer } from '../classify/classification.ts';
import { classify, isInnerGiveUp } from '../classify/classify.ts';
import { meaning } from '../classify/meaning.ts';
import { decideCall } from '../decide/decide-call.ts';
import type { AttemptOutcome, Decision, DecisionInput } from '../decide/decision.ts';
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
  const { session, cut, permit } = attempt;
  const { policy, options, clock, signal, lastFailure } = session;
  if (cut?.by === 'breaker_open') {
    const retryAfterMs = breakerOpenMs(session);
    return decideCall(gather(attempt, { kind: 'blocked', cause: 'breaker_open', retryAfterMs }));
  }
  const error = failed.kind === 'error' ? failed.error : failed.value;
  const classified: Classification =
    cut?.by === 'abort'
      ? meaning('ignored')
      : known
        ? meaning(known.errorClass, known.effect, known.retryAfterMs)
        : classify(error, policy, { attempt: attempt.attempt, nowMs: clock.now(), signal });
  if (permit !== REFUSED) options.breaker?.record(permit, classified);
  const { errorClass, effect, retryAfterMs } = classified;
  const innerGaveUp = errorClass === 'final' && failed.kind === 'error' && isInnerGiveUp(error);
  const outcome = { kind: 'failure', errorClass, effect, retryAfterMs, innerGaveUp } as const;
  const input = gather(attempt, outcome);
  const decision = decideCall(input);
  const { action, reason, delayMs = 0, charge } = decision;
  if (charge.budget) session.budget?.take(errorClass);
  session.remember({
    attempt: attempt.attempt,
    startedAtMs: attempt.startedAtMs,
    durationMs: clock.monotonic() - attempt.startMs,
    delayBeforeMs: lastFailure?.waitMs ?? 0,
    delayMs,
    errorClass,
    effect,
    retryAfterMs,
    reason,
    error,
    outcome: failed,
    waitMs: action === 'retry' ? delayMs : 0,
  });
  session.recorder?.failed(attempt, failed, input, decision);
  if (action === 'retry' && session.isNested) session.retries.count++;
  return decision;
}

type Failed = Extract<AttemptOutcome, { kind: 'failure' }>;

/** What `decide` needs to know. */
export function gather<T, O extends AttemptOutcome>(
  { session, attempt }: Attempt<T>,
  outcome: O,
): DecisionInput & { readonly outcome: O } {
  const { policy, options, budget } = session;
  const failure: Failed | undefined = outcome.kind === 'failure' ? outcome : undefined;
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
    budgetAllows: !failure || (budget?.allows(failure.errorClass) ?? true),
    breakerOpenMs: breakerOpenMs(session),
    onUnknown: 'retry',
    // Where nothing is spread, the number changes nothing and its cost can be saved.
    random:
      failure?.retryAfterMs !== undefined || policy.jitter !== 'none'
        ? sessionRandom(session.id, attempt)
        : 0,
  };
}

function breakerOpenMs<T>({ options }: Session<T>): number {
  return options.breaker?.openForMs() ?? 0;
}
