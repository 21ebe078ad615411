import { REFUSED } from '../breaker/breaker.ts';
import { answerOf } from '../classify/answer-of.ts';
import type { Classification, ResultAnswer } from '../classify/classification.ts';
import { classify, isInnerGiveUp } from '../classify/classify.ts';
import { meaning } from '../classify/classify-status.ts';
import { judgeResult } from '../classify/judge-result.ts';
import { pause } from '../clock/alarm.ts';
import { decideCall, type FailureOutcome } from '../decide/decide-call.ts';
import type { AttemptOutcome, Decision, DecisionInput } from '../decide/decision.ts';
import { RedriveError } from '../errors/redrive-error.ts';
import { handOver } from '../hand-over/hand-over.ts';
import { recallPolicy } from '../policy/define-policy.ts';
import { acceptEveryValue } from '../policy/fields.ts';
import type { Policy } from '../policy/policy.ts';
import { sessionRandom } from '../random/session-random.ts';
import type { FailedOutcome, Operation } from './attempt-context.ts';
import { endSession } from './end-session.ts';
import { guardedAttempt } from './guarded-attempt.ts';
import { checkNames, NO_OPTIONS, type RetryOptions, refuseOperation } from './retry-options.ts';
import { Attempt, type Failure, type Outcome, Session } from './session.ts';

const DEFAULTS: Policy = {};

/**
 * Calls `operation` until it succeeds, its error is final, or the policy allows no further attempt.
 *
 * ```ts
 * const user = await retry(({ signal }) => fetchUser(id, signal), { maxAttempts: 5, baseDelayMs: 200 });
 * ```
 *
 * The default policy is 3 attempts, 1 s and 2 s apart, ±10 %. Rejects with the error itself when it is final or the
 * caller aborted, with a `RetryError` when the session gave up, and with `invalid_policy` or `invalid_option` before the
 * first attempt when policy or options are wrong.
 */
export function retry<T>(
  operation: Operation<T>,
  policy: Policy = DEFAULTS,
  options: RetryOptions = NO_OPTIONS,
): Promise<T> {
  try {
    if (options !== NO_OPTIONS) checkNames(options);
    return run(operation, policy, options);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** `retry` with options whose names were checked before. @throws RedriveError where it can begin no session. */
export function run<T>(operation: Operation<T>, policy: Policy, options: RetryOptions): Promise<T> {
  if (typeof operation !== 'function') refuseOperation(operation);
  const session = new Session(operation, recallPolicy(policy), options);
  if (session.guarded) return runGuarded(session);
  const attempt = new Attempt(session, 1);
  // Most plain calls succeed at once: until the first failure there is no async function, and one closure.
  let outcome: Promise<T>;
  try {
    outcome = Promise.resolve(operation(attempt));
  } catch (error) {
    outcome = Promise.reject(error);
  }
  return outcome.then(undefined, (error) => loop(session, attempt, { kind: 'error', error }));
}

/** A call with a signal, a deadline, a breaker or other guards. With a ledger and a key, the whole session runs once. */
function runGuarded<T>(session: Session<T>): Promise<T> {
  const { options, clock, signal, recorder } = session;
  const { ledger, idempotencyKey: key, fingerprint, onInProgress } = options;
  if (!ledger || key === undefined) return loop(session);
  const onUse = (action: 'hit' | 'record') => recorder?.used(key, action);
  const waitMs = session.timeLeftMs();
  return ledger.once({ key, fingerprint, onInProgress, waitMs, clock, signal, onUse }, () =>
    loop(session),
  );
}

/**
 * Attempt, conclude (classify and decide), wait, attempt … until there is a result. Begins with an attempt, or with the
 * outcome of a plain call's first attempt. A waiting call keeps all variables of this function: it has few.
 */
async function loop<T>(
  session: Session<T>,
  attempt?: Attempt<T>,
  outcome?: Outcome<T>,
): Promise<T> {
  const start = session.guarded ? guardedAttempt<T> : session.operation;
  for (;;) {
    attempt ??= new Attempt(session, session.failedAttempts + 1);
    try {
      outcome ??= { kind: 'value', value: await start(attempt) };
    } catch (error) {
      attempt.abortIfCut();
      outcome = { kind: 'error', error };
    }
    const failure = judge(attempt, outcome);
    if (outcome.kind === 'value' && !failure) {
      succeed(attempt);
      return outcome.value;
    }
    const { action, reason, delayMs } = conclude(attempt, outcome, failure);
    // The session remembers the failure.
    attempt = undefined;
    outcome = undefined;
    if (action === 'hand-over') {
      const refusal = await handOver(session, delayMs);
      return endSession(session, refusal ? reason : 'handed_over', delayMs, refusal);
    }
    if (action !== 'retry') return endSession(session, reason, delayMs);
    throwIfStopped(session);
    reportRetry(session);
    if (delayMs > 0 || session.failedAttempts % TURN_AFTER === 0) {
      await pause(session.clock, delayMs, session.options.unref, session.signal);
    }
    throwIfStopped(session);
    if (failure) discard(failure);
  }
}

/** Looks at an outcome: the answer about a value that counts as a failure, an error about a wrong answer. */
function judge<T>(
  { session, attempt }: Attempt<T>,
  outcome: Outcome<T>,
): ReturnType<typeof judgeResult> {
  const { policy, clock, signal } = session;
  if (outcome.kind === 'error' || policy.classifyResult === acceptEveryValue) return undefined;
  return judgeResult(policy, outcome.value, { attempt, nowMs: clock.now(), signal });
}

/** Reports to the guards that the attempt succeeded. */
function succeed<T>(attempt: Attempt<T>): void {
  const { session, permit } = attempt;
  if (permit !== REFUSED) session.options.breaker?.record(permit, undefined);
  session.budget?.deposit();
  session.recorder?.succeeded(attempt);
}

/**
 * The steps after a failed attempt: classify the failure, gather the input of `decide`, apply the charge, remember the
 * failure. `judged`: the answer about a returned value.
 */
function conclude<T>(
  attempt: Attempt<T>,
  outcome: FailedOutcome,
  judged: ReturnType<typeof judge>,
): Decision {
  const failed: FailedOutcome =
    judged instanceof RedriveError ? { kind: 'error', error: judged } : outcome;
  // An error about a wrong answer has none of these fields, and is final.
  const known = judged as ResultAnswer | undefined;
  const { session, cut, permit } = attempt;
  const { policy, options, clock, signal } = session;
  if (cut?.by === 'breaker_open') {
    const retryAfterMs = breakerOpenMs(session);
    return decideCall(gather(attempt, { kind: 'blocked', cause: 'breaker_open', retryAfterMs }));
  }
  const error = failed.kind === 'error' ? failed.error : failed.value;
  const classified: Classification =
    cut?.by === 'abort'
      ? meaning('ignored')
      : known
        ? meaning(known.errorClass ?? 'final', known.effect, known.retryAfterMs, known.idempotent)
        : classify(error, policy, { attempt: attempt.attempt, nowMs: clock.now(), signal });
  if (permit !== REFUSED) options.breaker?.record(permit, classified);
  const { errorClass, effect, retryAfterMs } = classified;
  const innerGaveUp = errorClass === 'final' && failed.kind === 'error' && isInnerGiveUp(error);
  const failure = { kind: 'failure', errorClass, effect, retryAfterMs, innerGaveUp } as const;
  const isOnce = options.onUnknown
    ? options.onUnknown === 'give_up'
    : classified.idempotent === false;
  const input = gather(attempt, failure, isOnce ? 'ask' : 'retry');
  const decision = decideCall(input);
  const { action, reason, delayMs, charge } = decision;
  if (charge.budget) session.budget?.take(errorClass);
  session.remember({
    attempt: attempt.attempt,
    startedAtMs: attempt.startedAtMs,
    durationMs: session.isDated ? clock.monotonic() - attempt.startMs : 0,
    delayMs: action === 'retry' ? delayMs : 0,
    errorClass,
    effect,
    retryAfterMs,
    reason,
    kind: failed.kind,
    error,
    before: session.lastFailure,
  });
  session.recorder?.failed(attempt, failed, input, decision);
  if (action === 'retry' && session.isNested) session.retries.count++;
  return decision;
}

/** The input of `decide`. */
export function gather<T, O extends AttemptOutcome>(
  { session, attempt }: Attempt<T>,
  outcome: O,
  onUnknown: DecisionInput['onUnknown'] = 'retry',
): DecisionInput & { readonly outcome: O } {
  const { policy, options, budget } = session;
  const failure: FailureOutcome | undefined = outcome.kind === 'failure' ? outcome : undefined;
  // Without jitter and without a hint, the random number has no use: it is not computed.
  const isSpread = failure?.retryAfterMs !== undefined || policy.jitter !== 'none';
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
    allowance: session.isNested ? policy.maxAttempts - 1 - session.retries.count : Infinity,
    budgetAllows: !failure || (budget?.allows(failure.errorClass) ?? true),
    breakerOpenMs: breakerOpenMs(session),
    onUnknown,
    random: isSpread ? sessionRandom(session.id, attempt) : 0,
  };
}

function breakerOpenMs<T>({ options }: Session<T>): number {
  return options.breaker?.openForMs() ?? 0;
}

/** After this many retries without a wait the event loop gets a turn, so that timers, I/O and the caller's abort can run. */
const TURN_AFTER = 1_000;

/** Releases the returned value of a failed attempt, which the caller can no longer get. */
function discard(failure: ResultAnswer | RedriveError): void {
  // A wrong answer is final: it ends the session.
  answerOf(() => (failure as ResultAnswer).discard?.());
}

/** @throws what keeps the retry from running: the reason of the signal, or a RetryError about the kill switch. */
function throwIfStopped<T>(session: Session<T>): void {
  const { signal, recorder, options } = session;
  const { killSwitch, tenantId } = options;
  if (signal?.aborted) {
    giveBack(session);
    recorder?.ended('cancelled', { kind: 'error', error: signal.reason });
    throw signal.reason;
  }
  if (!killSwitch) return;
  const { operationName: operation, inJob } = session;
  // A switch that cannot answer must not let retries through. A promise counts as engaged too.
  if (!answerOf(() => killSwitch.isEngaged({ operation, tenantId, inJob }), true)) return;
  giveBack(session);
  endSession(session, 'kill_switch');
}

/** The retry that the budget was charged for does not run. */
function giveBack<T>({ budget, lastFailure }: Session<T>): void {
  // An error of the budget must not replace the result of the call. The cast: a retry follows a failure.
  answerOf(() => budget?.giveBack((lastFailure as Failure).errorClass));
}

function reportRetry<T>(session: Session<T>): void {
  const { onRetry } = session.options;
  if (!onRetry) return;
  const { attempt, error, errorClass, delayMs, reason } = session.lastFailure as Failure; // As above.
  const { id: sessionId, operationName: operation, maxAttempts } = session;
  const report = { sessionId, operation, attempt, maxAttempts, error, errorClass, delayMs, reason };
  answerOf(() => onRetry(report));
}
