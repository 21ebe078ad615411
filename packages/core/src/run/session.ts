import type { Classification, ErrorClass } from '../classify/classification.ts';
import type { Clock } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import type { AttemptFailure } from '../errors/retry-error.ts';
import type { ResolvedPolicy } from '../policy/policy.ts';
import type { Budget } from '../budget/budget.ts';
import { budgetFor } from '../budget/budgets.ts';
import { AbortableWait } from './abortable-wait.ts';
import { Attempt, newAllowance, newSessionId, type Operation } from './attempt.ts';
import type { Allowance, FailedOutcome } from './attempt-context.ts';
import { conclude } from './conclude.ts';
import { finish } from './finish.ts';
import { GuardedAttempt } from './guarded-attempt.ts';
import { Recorder } from './recorder.ts';
import type { RetryOptions } from './retry-options.ts';
import type { SessionState } from './session-state.ts';
import { wakeUpsOf } from './wake-ups.ts';

/**
 * The life of one call: of a guarded one from its start, of a plain one from its first failure. After every failed
 * attempt: `conclude` (classify, decide, note), then wait and try again, or `finish`.
 */
export class Session<T> implements SessionState {
  readonly operation: Operation<T>;
  readonly policy: ResolvedPolicy;
  readonly options: RetryOptions;
  readonly clock: Clock;
  readonly guarded: boolean;
  /** What ends the session from outside: the caller's signal, or that of the attempt it is nested in. */
  readonly signal: AbortSignal | undefined;
  readonly budget: Budget | undefined;
  readonly recorder: Recorder | undefined;
  /** On the monotonic clock. `Infinity`: none. */
  readonly deadlineMs: number;
  /** How often the operation has run to an end. */
  attempts = 0;
  /** Failed attempts, the newest ones. */
  failures: readonly AttemptFailure[] | undefined = undefined;
  lastOutcome: FailedOutcome | undefined = undefined;
  lastDelayMs = 0;
  /** Retries shared with nested sessions, once somebody shares them. */
  allowance: Allowance | undefined;
  private ownId: string | undefined;
  // The caller's promise, once it cannot be a chain any more.
  private resolve: ((value: T | Promise<T>) => void) | undefined = undefined;
  private reject: ((reason: unknown) => void) | undefined = undefined;

  /** `first`: the plain attempt whose failure opens the session. Without one, the session is guarded. */
  constructor(operation: Operation<T>, policy: ResolvedPolicy, options: RetryOptions, first?: Attempt<T>) {
    this.operation = operation;
    this.policy = policy;
    this.options = options;
    this.clock = options.clock ?? systemClock;
    this.guarded = first === undefined;
    this.signal = signalOf(options);
    this.budget = budgetFor(policy.dependency, options.budget);
    this.ownId = first?.ownId;
    this.allowance = first?.ownAllowance ?? options.parent?.allowance;
    const ttlMs = Math.min(policy.ttlMs, options.parent?.timeLeftMs() ?? Infinity);
    this.deadlineMs = ttlMs === Infinity ? Infinity : this.clock.monotonic() + ttlMs;
    this.recorder = options.events && new Recorder(this, options.events);
  }

  get id(): string {
    this.ownId ??= newSessionId(this.policy, this.options);
    return this.ownId;
  }

  timeLeftMs(): number {
    return this.deadlineMs === Infinity ? Infinity : this.deadlineMs - this.clock.monotonic();
  }

  sharedAllowance(): Allowance {
    this.allowance ??= newAllowance(this.policy, this.options);
    return this.allowance;
  }

  /** Runs the next attempt as a link of the caller's promise chain, the cheapest thing there is to wait in. */
  chain(): Promise<T> {
    const attempt = this.nextAttempt();
    return attempt.run().then(
      (value) => {
        const failure = attempt.judge(value);
        return failure === undefined ? value : this.goOn(attempt, { kind: 'value', value }, failure);
      },
      (error) => this.goOn(attempt, { kind: 'error', error }),
    );
  }

  /**
   * All that follows a failed attempt. Only the first wait is a link of the chain. From the second failure on, or where
   * an abort must get through, one promise stands for the rest: a link per attempt would grow without bound.
   */
  goOn(attempt: Attempt<T>, outcome: FailedOutcome, failure?: Classification): Promise<T> {
    if (this.signal !== undefined || this.attempts > 0) {
      return new Promise((resolve, reject) => {
        this.resolve = resolve;
        this.reject = reject;
        this.step(attempt, outcome, failure);
      });
    }
    const decision = conclude(this, attempt, outcome, failure);
    if (decision.action !== 'retry') return finish(this, outcome, decision);
    if (decision.delayMs === 0) return this.chain();
    const { promise } = wakeUpsOf(this.clock).join(decision.delayMs, !this.options.unref);
    return promise.then(() => this.chain());
  }

  /** The same as a loop: attempt, step, wait, attempt … until the promise is settled. */
  private step(attempt: Attempt<T>, outcome: FailedOutcome, failure?: Classification): void {
    const decision = conclude(this, attempt, outcome, failure);
    if (decision.action !== 'retry') this.resolve?.(finish(this, outcome, decision));
    else if (decision.delayMs === 0) this.proceed();
    else this.wait(decision.delayMs, decision.reason === 'rate_limited' ? 'rate_limited' : 'retryable');
  }

  private wait(delayMs: number, errorClass: ErrorClass): void {
    const wakeUps = wakeUpsOf(this.clock);
    const wakeUp = wakeUps.join(delayMs, !this.options.unref);
    if (this.signal === undefined) {
      void wakeUp.promise.then(() => this.proceed());
      return;
    }
    const wait = new AbortableWait(this.signal, (reason) => {
      wakeUps.leave(wakeUp);
      this.budget?.giveBack(errorClass);
      this.recorder?.ended('cancelled', reason);
      this.reject?.(reason);
    });
    void wakeUp.promise.then(() => {
      if (wait.over()) this.proceed();
    });
  }

  private proceed(): void {
    const attempt = this.nextAttempt();
    attempt.run().then(
      (value) => {
        const failure = attempt.judge(value);
        if (failure === undefined) this.resolve?.(value);
        else this.step(attempt, { kind: 'value', value }, failure);
      },
      (error) => this.step(attempt, { kind: 'error', error }),
    );
  }

  private nextAttempt(): Attempt<T> {
    const number = this.attempts + 1;
    this.recorder?.started(number);
    return this.guarded
      ? new GuardedAttempt(this, number)
      : new Attempt(this.operation, this.policy, this.options, this, number);
  }
}

/** Aborts when the caller aborts, or the attempt that the call is nested in. */
function signalOf({ signal, parent }: RetryOptions): AbortSignal | undefined {
  if (parent?.signal === undefined || parent.signal === signal) return signal;
  return signal === undefined ? parent.signal : AbortSignal.any([signal, parent.signal]);
}
