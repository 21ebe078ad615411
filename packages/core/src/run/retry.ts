import { REFUSED } from '../breaker/breaker.ts';
import type { ResultAnswer } from '../classify/classification.ts';
import { rememberFinal } from '../classify/judged-final.ts';
import { answerOf, understood } from '../classify/understood.ts';
import type { ReasonCode } from '../decide/decision.ts';
import { type HandOverFailure, MAX_FAILURES_KEPT, RetryError } from '../errors/retry-error.ts';
import { acceptEveryValue } from '../policy/fields.ts';
import type { Policy } from '../policy/policy.ts';
import { recallPolicy } from '../policy/recall-policy.ts';
import { Attempt, make, type Outcome } from './attempt.ts';
import type { Operation } from './attempt-context.ts';
import { conclude } from './conclude.ts';
import { handOver } from './hand-over.ts';
import { checkNames, checkOperation, NO_OPTIONS, type RetryOptions } from './retry-options.ts';
import { type Failure, Session } from './session.ts';
import { pause } from './timer.ts';

const DEFAULTS: Policy = {};

/**
 * Calls `operation` until it succeeds, its error is final, or the policy says enough.
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
  checkOperation(operation);
  const session = new Session(operation, recallPolicy(policy), options);
  const attempt = new Attempt(session, 1);
  if (session.guarded) return runOnce(attempt);
  // A first attempt that succeeds is all there ever is of a plain call: no async function, and one closure.
  let outcome: Promise<T>;
  try {
    outcome = Promise.resolve(operation(attempt));
  } catch (error) {
    outcome = Promise.reject(error);
  }
  return outcome.then(undefined, (error) => loop(attempt, { kind: 'error', error }));
}

/** With a ledger and a key, the whole session runs once. */
function runOnce<T>(first: Attempt<T>): Promise<T> {
  const { options, clock, signal, recorder } = first.session;
  const { ledger, idempotencyKey: key, fingerprint, onInProgress } = options;
  if (!ledger || key === undefined) return loop(first);
  const onUse = (action: 'hit' | 'record') => recorder?.used(key, action);
  const waitMs = first.timeLeftMs();
  return ledger.once({ key, fingerprint, onInProgress, waitMs, clock, signal, onUse }, () =>
    loop(first),
  );
}

/**
 * Attempt, conclude (classify and decide), wait, attempt … until there is a result. Begins with an attempt, or with the
 * outcome of a plain call's first attempt.
 */
async function loop<T>(first: Attempt<T>, firstOutcome?: Outcome<T>): Promise<T> {
  const { session } = first;
  let attempt = first;
  let outcome = firstOutcome ?? (await make(first));
  for (;;) {
    let failure: ResultAnswer | undefined;
    if (outcome.kind === 'value') {
      failure = judge(attempt, outcome.value);
      if (failure === undefined) {
        succeed(attempt);
        return outcome.value;
      }
    }
    const { action, reason, delayMs } = conclude(attempt, outcome, failure);
    if (action === 'hand-over') {
      const failed = await handOver(session, delayMs);
      return end(session, outcome, failed ? reason : 'handed_over', delayMs, failed);
    }
    if (action !== 'retry') return end(session, outcome, reason, delayMs);
    let killed = isKilled(session);
    if (!killed) {
      reportRetry(session);
      await waitFor(attempt, delayMs);
      killed = isKilled(session);
    }
    if (killed) {
      giveBack(session);
      return end(session, outcome, 'kill_switch');
    }
    // Releases the returned value of a failed attempt, which the caller can no longer get.
    answerOf(() => failure?.discard?.(), undefined);
    attempt = new Attempt(session, attempt.attempt + 1);
    outcome = await make(attempt);
  }
}

/** Looks at a returned value: its classification as a failure, or `undefined` for a success. */
function judge<T>({ session, attempt }: Attempt<T>, value: T): ResultAnswer | undefined {
  const { policy, clock, signal } = session;
  if (policy.classifyResult === acceptEveryValue) return undefined;
  // A judge that throws has nothing against the value.
  return understood(() => policy.classifyResult(value, { attempt, nowMs: clock.now(), signal }));
}

/** Reports to the guards that the attempt succeeded. */
function succeed<T>(attempt: Attempt<T>): void {
  const { session, permit } = attempt;
  if (permit !== REFUSED) session.options.breaker?.record(permit, undefined);
  session.budget?.deposit();
  session.recorder?.succeeded(attempt);
}

/** After this many retries without a wait the event loop gets a turn, so that timers, I/O and the caller's abort can run. */
const TURN_AFTER = 1_000;

/** @throws the reason of the signal that ends the wait. */
async function waitFor<T>({ session, attempt }: Attempt<T>, delayMs: number): Promise<void> {
  const { clock, options, signal, recorder } = session;
  if (delayMs > 0 || attempt % TURN_AFTER === 0) {
    await pause(clock, delayMs, options.unref, signal);
  }
  if (!signal?.aborted) return;
  giveBack(session);
  recorder?.ended('cancelled', { kind: 'error', error: signal.reason });
  throw signal.reason;
}

function isKilled<T>({ options, operationName: operation, inJob }: Session<T>): boolean {
  const { killSwitch, tenantId } = options;
  if (!killSwitch) return false;
  // A switch that cannot answer must not let retries through. A promise counts as engaged too.
  return answerOf(() => killSwitch.isEngaged({ operation, tenantId, inJob }), true);
}

/** The retry that the budget was charged for does not run. */
function giveBack<T>({ budget, lastFailure }: Session<T>): void {
  // The caller waits for its own reason, and not for that of a budget. Without a failure there would be no retry.
  answerOf(() => budget?.giveBack((lastFailure as Failure).errorClass), undefined);
}

function reportRetry<T>(session: Session<T>): void {
  const { onRetry } = session.options;
  if (!onRetry) return;
  const { attempt, error, errorClass, delayMs, reason } = session.lastFailure as Failure; // As above.
  const { id: sessionId, operationName: operation, maxAttempts } = session;
  const told = { sessionId, operation, attempt, maxAttempts, error, errorClass, delayMs, reason };
  answerOf(() => onRetry(told), undefined);
}

/** Ends a session that goes no further on this rung, with what the caller gets. */
function end<T>(
  session: Session<T>,
  outcome: Outcome<T>,
  reason: ReasonCode,
  delayMs?: number,
  handOverFailure?: HandOverFailure,
): T {
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
