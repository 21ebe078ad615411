import type { ResultAnswer } from '../classify/classification.ts';
import { rememberFinal } from '../classify/judged-final.ts';
import { ignoreRejection } from '../classify/understood.ts';
import { decide } from '../decide/decide.ts';
import type { ReasonCode } from '../decide/decision.ts';
import { type HandOverFailure, MAX_FAILURES_KEPT, RetryError } from '../errors/retry-error.ts';
import type { Policy } from '../policy/policy.ts';
import { recallPolicy } from '../policy/recall-policy.ts';
import { Attempt, judge, make, type Outcome, succeed } from './attempt.ts';
import type { Operation } from './attempt-context.ts';
import { conclude, gather } from './conclude.ts';
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
  } catch (error) {
    return Promise.reject(error);
  }
  return run(operation, policy, options);
}

/** `retry` with options whose names were checked before. */
export function run<T>(operation: Operation<T>, policy: Policy, options: RetryOptions): Promise<T> {
  let session: Session<T>;
  try {
    checkOperation(operation);
    session = new Session(operation, recallPolicy(policy), options);
    if (session.guarded) return runOnce(session);
  } catch (error) {
    return Promise.reject(error);
  }
  // A first attempt that succeeds is all there ever is of a plain call: no async function, and one closure.
  const attempt = new Attempt(session, 1);
  let outcome: Promise<T>;
  try {
    outcome = Promise.resolve(operation(attempt));
  } catch (error) {
    outcome = Promise.reject(error);
  }
  return outcome.then(undefined, (error) => loop(attempt, { kind: 'error', error }));
}

/** With a ledger and a key, the whole session runs once. */
function runOnce<T>(session: Session<T>): Promise<T> {
  const { ledger, idempotencyKey: key, fingerprint, onInProgress } = session.options;
  const first = new Attempt(session, 1);
  if (!ledger || key === undefined) return loop(first);
  const { clock, signal, recorder } = session;
  const onUse = (action: 'hit' | 'record') => recorder?.used(key, action);
  const waitMs = session.timeLeftMs();
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
    const decision = conclude(attempt, outcome, failure);
    if (decision.action === 'hand-over') {
      const failed = await handOver(session, decision.delayMs);
      const reason = failed ? 'beyond_horizon' : 'handed_over';
      return end(session, outcome, reason, decision.delayMs, failed);
    }
    if (decision.action !== 'retry')
      return end(session, outcome, decision.reason, decision.delayMs);
    if (isKilled(session)) return kill(attempt, outcome);
    reportRetry(session);
    await waitFor(attempt, decision.delayMs);
    if (isKilled(session)) return kill(attempt, outcome);
    discard(failure);
    attempt = new Attempt(session, attempt.attempt + 1);
    outcome = await make(attempt);
  }
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

/** Releases the returned value of a failed attempt, which the caller can no longer get. */
function discard(failure: ResultAnswer | undefined): void {
  try {
    failure?.discard?.();
  } catch {
    // The value's resources stay in use; the call continues.
  }
}

function isKilled<T>({ options, operationName: operation, inJob }: Session<T>): boolean {
  const { killSwitch, tenantId } = options;
  if (!killSwitch) return false;
  try {
    const answer = killSwitch.isEngaged({ operation, tenantId, inJob });
    ignoreRejection(answer);
    return answer; // A promise counts as engaged too.
  } catch {
    return true; // A switch that cannot answer must not let retries through.
  }
}

/** Ends a session that a kill switch keeps from its next attempt. */
function kill<T>(attempt: Attempt<T>, outcome: Outcome<T>): T {
  const { session } = attempt;
  giveBack(session);
  // Nobody knows when the switch is released.
  const blocked = { kind: 'blocked', cause: 'kill_switch', retryAfterMs: Infinity } as const;
  return end(session, outcome, decide(gather(attempt, blocked)).reason);
}

/** The retry that the budget was charged for does not run. */
function giveBack<T>({ budget, lastFailure }: Session<T>): void {
  try {
    budget?.giveBack((lastFailure as Failure).errorClass); // Without it there would be no retry.
  } catch {
    // The caller waits for its own reason, and not for that of a budget.
  }
}

function reportRetry<T>(session: Session<T>): void {
  const { onRetry } = session.options;
  if (!onRetry) return;
  const { attempt, error, errorClass, delayMs, reason } = session.lastFailure as Failure; // As above.
  const { id: sessionId, operationName: operation, maxAttempts } = session;
  try {
    const event = {
      sessionId,
      operation,
      attempt,
      maxAttempts,
      error,
      errorClass,
      delayMs,
      reason,
    };
    // An async function fits the type too; a rejection of its promise must not end the process.
    ignoreRejection(onRetry(event));
  } catch {
    // A listener never fails a call.
  }
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
  const { lastFailure, policy, options, clock } = session;
  session.recorder?.ended(reason, lastFailure?.outcome);
  // A final error and the caller's own cancellation come out as they are: there was nothing to give up.
  if (reason === 'final_error' || reason === 'inner_gave_up' || reason === 'cancelled') {
    if (reason === 'cancelled') session.signal?.throwIfAborted();
    if (outcome.kind === 'value') return outcome.value;
    if (reason === 'final_error') rememberFinal(outcome.error, lastFailure?.effect);
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
      elapsedMs: session.elapsedMs(),
      failure: lastFailure,
      handOverFailure,
      retryAt: delayMs === undefined ? undefined : new Date(clock.now() + delayMs),
    },
    lastFailure?.error,
  );
}
