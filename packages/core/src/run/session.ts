import type { Budget } from '../budget/budget.ts';
import type { Classification, ErrorClass } from '../classify/classification.ts';
import type { Clock } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import type { Decision } from '../decide/decision.ts';
import type { ResolvedPolicy } from '../policy/policy.ts';
import { AbortableAttempt } from './abortable-attempt.ts';
import { AbortableWait, type Waiting } from './abortable-wait.ts';
import { Attempt, newRetryCounter, newSessionId, type Operation } from './attempt.ts';
import type { FailedOutcome, RetryCounter } from './attempt-context.ts';
import { conclude } from './conclude.ts';
import type { Failure } from './failure.ts';
import { finish } from './finish.ts';
import { GuardedAttempt } from './guarded-attempt.ts';
import { newPromise, resolveLast } from './new-promise.ts';
import { NO_OPTIONS, type RetryOptions } from './retry-options.ts';
import type { SessionRecorder } from './session-recorder.ts';
import type { SessionState } from './session-state.ts';
import { timekeeperOf } from './timekeeper.ts';
import type { WakeUps } from './wake-ups.ts';

/**
 * The life of one call from its first failure on. After every failed attempt: `conclude` (classify, decide, note), then
 * wait and try again, or `finish`.
 */
export class Session<T> implements SessionState, Waiting {
  readonly operation: Operation<T>;
  readonly policy: ResolvedPolicy;
  readonly options: RetryOptions;
  lastFailure: Failure | undefined;
  lastClassification: Classification | undefined;
  retries: RetryCounter | undefined;
  private ownId: string | undefined;
  /** Settles the caller's promise, from the second attempt on. */
  private resolve: ((value: T | Promise<T>) => void) | undefined;
  /** The first attempt, where it has guards: they are the whole session's. */
  private readonly guards: GuardedAttempt<T> | undefined;

  constructor(first: Attempt<T>) {
    const { operation, policy, options } = first;
    this.operation = operation;
    this.policy = policy;
    this.guards = first instanceof GuardedAttempt ? first : undefined;
    // A guarded attempt has made a copy already: the caller may use the object again for its next call.
    this.options = this.guards ? options : copyOf(options, first);
    this.lastFailure = undefined;
    this.lastClassification = undefined;
    this.resolve = undefined;
    this.ownId = first.ownId;
    this.retries = first.ownRetries ?? options.parent?.retries;
    // What the operation asks of its first attempt from now on is the session's to say: an attempt that was given up
    // and still runs must not get another id than those that follow.
    first.session = this;
  }

  get id(): string {
    this.ownId ??= newSessionId(this.policy, this.options);
    return this.ownId;
  }

  /** How often the operation has failed. */
  get attempts(): number {
    return this.lastFailure?.attempt ?? 0;
  }

  get clock(): Clock {
    return this.options.clock ?? systemClock;
  }

  get signal(): AbortSignal | undefined {
    return this.guards === undefined ? this.options.signal : this.guards.callerSignal;
  }

  get budget(): Budget | undefined {
    return this.guards?.budget;
  }

  get recorder(): SessionRecorder | undefined {
    return this.guards?.recorder;
  }

  get deadlineMs(): number {
    return this.guards?.deadlineMs ?? Infinity;
  }

  timeLeftMs(): number {
    return this.guards?.timeLeftMs() ?? Infinity;
  }

  sharedRetries(): RetryCounter {
    this.retries ??= newRetryCounter(this.options, this.attempts);
    return this.retries;
  }

  /**
   * All that follows the first failure. Its wait is a link of the caller's promise chain, the cheapest thing to wait in,
   * and the loop begins with the second attempt. Where an abort must get through, the loop begins with the wait.
   */
  goOn(attempt: Attempt<T>, outcome: FailedOutcome, failure?: Classification): Promise<T> {
    const decision = conclude(this, attempt, outcome, failure);
    if (decision.action !== 'retry') return finish(this, outcome, decision);
    if (decision.delayMs === 0) return AT_ONCE.then(() => this.loop(undefined));
    if (this.signal !== undefined) return this.loop(decision);
    return this.wakeUps.join(decision.delayMs).promise.then(() => this.loop(undefined));
  }

  /**
   * Attempt, conclude, wait, attempt … until there is a result. An `async` loop would say the same; but a suspended
   * function takes twice the memory, and waiting is what a session does most of its life.
   */
  private loop(decision: RetryDecision | undefined): Promise<T> {
    const result = newPromise<T>();
    this.resolve = resolveLast;
    if (decision === undefined) this.runNext();
    else this.wait(decision);
    return result;
  }

  private runNext(): void {
    const attempt = this.nextAttempt();
    let outcome: T | PromiseLike<T>;
    try {
      const entered = attempt.enter();
      // The operation is called from here: each frame in between would cost the errors that it makes.
      if (entered === undefined) outcome = attempt.guard(this.operation(attempt));
      else {
        outcome = entered.then(() => {
          // In the queue of a bulkhead the caller may have left in the moment when the slot came.
          this.signal?.throwIfAborted();
          return attempt.guard(this.operation(attempt));
        });
      }
    } catch (error) {
      outcome = Promise.reject(error);
    }
    Promise.resolve(outcome).then(
      (value) => this.afterValue(attempt, value),
      (error) => this.afterFailure(attempt, { kind: 'error', error }),
    );
  }

  private afterValue(attempt: Attempt<T>, value: T): void {
    try {
      const failure = attempt.judge(value);
      if (failure === undefined) this.resolve?.(value);
      else this.afterFailure(attempt, { kind: 'value', value }, failure);
    } catch (error) {
      this.fail(error);
    }
  }

  private afterFailure(
    attempt: Attempt<T>,
    outcome: FailedOutcome,
    failure?: Classification,
  ): void {
    try {
      const decision = conclude(this, attempt, outcome, failure);
      if (decision.action !== 'retry') this.resolve?.(finish(this, outcome, decision));
      else if (decision.delayMs === 0 && attempt.attempt % TURN_AFTER !== 0) this.runNext();
      else this.wait(decision);
    } catch (error) {
      this.fail(error);
    }
  }

  /** With the caller's reason; or with the error of a breaker or a budget that throws, or nobody would ever know. */
  private fail(error: unknown): void {
    this.resolve?.(Promise.reject(error));
  }

  private wait({ delayMs, reason }: RetryDecision): void {
    const { signal, wakeUps } = this;
    if (signal === undefined) {
      void wakeUps.join(delayMs).promise.then(() => this.runNext());
    } else {
      const waitedFor = reason === 'rate_limited' ? 'rate_limited' : 'retryable';
      new AbortableWait(this, waitedFor, wakeUps, delayMs).start(signal);
    }
  }

  afterWait(): void {
    this.runNext();
  }

  abortedInWait(reason: unknown, waitedFor: ErrorClass): void {
    try {
      this.budget?.giveBack(waitedFor);
    } catch {
      // Others on the signal wait to be told, and the caller for its own reason.
    }
    this.recorder?.ended('cancelled', { kind: 'error', error: reason });
    this.fail(reason);
  }

  private get wakeUps(): WakeUps {
    return timekeeperOf(this.clock, this.options.unref).wakeUps;
  }

  private nextAttempt(): Attempt<T> {
    const { operation, policy, options, attempts } = this;
    const guarded = this.guards !== undefined || this.signal !== undefined;
    return new (guarded ? GuardedAttempt : Attempt)(operation, policy, options, this, attempts + 1);
  }
}

function copyOf<T>(options: RetryOptions, first: Attempt<T>): RetryOptions {
  if (options === NO_OPTIONS) return options;
  return { ...options, signal: first instanceof AbortableAttempt ? first.signal : undefined };
}

/** So many retries without a wait, and the event loop gets a turn: timers, I/O and the caller's abort must get through. */
const TURN_AFTER = 1_000;

type RetryDecision = Decision & { action: 'retry' };

/** Not in the same turn: deep in the stack of the first failure, the errors to come would cost more than a turn. */
const AT_ONCE = /* @__PURE__ */ Promise.resolve();
