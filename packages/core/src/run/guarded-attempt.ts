import { REFUSED } from '../breaker/breaker.ts';
import type { Budget } from '../budget/budget.ts';
import { budgetFor } from '../budget/budgets.ts';
import type { Classification, ClassifyContext } from '../classify/classification.ts';
import type { Clock } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import { RedriveError } from '../errors/redrive-error.ts';
import { acceptEveryValue } from '../policy/fields.ts';
import type { ResolvedPolicy } from '../policy/policy.ts';
import type { EventSink } from '../records/record.ts';
import { type Abortable, abortHubOf } from './abort-hub.ts';
import { Attempt, type Cut, type Operation } from './attempt.ts';
import { newPromise, rejectLast, resolveLast } from './new-promise.ts';
import type { RetryOptions } from './retry-options.ts';
import type { Link } from './ring.ts';
import type { Session } from './session.ts';
import type { SessionRecorder } from './session-recorder.ts';
import { timekeeperOf } from './timekeeper.ts';
import type { TimeLimited, Timeout } from './timeouts.ts';

/**
 * An attempt that can be ended from outside: by the caller's signal, its own timeout or the session's deadline, and
 * that a bulkhead or a breaker may refuse.
 *
 * Its result is a race between the operation and whatever ends it. The race is a promise and not a callback, so that
 * what follows runs in the caller's async context although a shared timer decided it.
 */
export class GuardedAttempt<T> extends Attempt<T> implements Abortable, TimeLimited {
  readonly clock: Clock;
  /** What ends the session from outside: the caller's signal, or that of the attempt it is nested in. */
  readonly callerSignal: AbortSignal | undefined;
  readonly budget: Budget | undefined;
  /** When the session must be over, on the monotonic clock. `Infinity`: never. */
  readonly deadlineMs: number;
  /** Tells the sink about the whole session. On the first attempt only. */
  recorder: SessionRecorder | undefined;
  readonly startedAtMs: number;
  readonly startMs: number;
  private cutBy: Cut | undefined;
  private permit: number;
  /** Holds a slot that nobody has promised to free yet. */
  private inBulkhead: boolean;
  before: Link;
  after: Link;
  private timeout: Timeout | undefined;
  private reject: ((reason: unknown) => void) | undefined;

  constructor(
    operation: Operation<T>,
    policy: ResolvedPolicy,
    options: RetryOptions,
    session: Session<T> | undefined,
    attempt: number,
  ) {
    super(operation, policy, options, session, attempt);
    this.clock = options.clock ?? systemClock;
    this.callerSignal = session === undefined ? callerSignal(options) : session.signal;
    this.budget =
      session === undefined ? budgetFor(policy.dependency, options.budget) : session.budget;
    this.deadlineMs = session === undefined ? this.newDeadlineMs() : session.deadlineMs;
    this.recorder = undefined;
    const dated = options.handOver !== undefined;
    this.startedAtMs = dated ? this.clock.now() : 0;
    this.startMs = dated ? this.clock.monotonic() : 0;
    this.cutBy = undefined;
    this.permit = REFUSED;
    this.inBulkhead = false;
    this.before = this;
    this.after = this;
    this.timeout = undefined;
    this.reject = undefined;
  }

  /** Opens the session's record at its start, because a sink wants to hear of successes too. */
  record(sink: EventSink, session: Session<T>): void {
    try {
      this.recorder = sink.open(session);
    } catch {
      // A sink never fails a call.
    }
  }

  private newDeadlineMs(): number {
    const ttlMs = Math.min(this.policy.ttlMs, this.options.parent?.timeLeftMs() ?? Infinity);
    return ttlMs === Infinity ? Infinity : this.clock.monotonic() + ttlMs;
  }

  override get signal(): AbortSignal {
    const { callerSignal, policy, deadlineMs } = this;
    // Where nothing but the caller can end it, the caller's own signal says all there is to say.
    const byCallerOnly = policy.attemptTimeoutMs === Infinity && deadlineMs === Infinity;
    return callerSignal !== undefined && byCallerOnly ? callerSignal : super.signal;
  }

  override get cut(): Cut | undefined {
    return this.cutBy;
  }

  override timeLeftMs(): number {
    return this.deadlineMs === Infinity ? Infinity : this.deadlineMs - this.clock.monotonic();
  }

  /** Bulkhead, then breaker. */
  override enter(): Promise<void> | undefined {
    const { callerSignal } = this;
    const { bulkhead } = this.options;
    if (callerSignal?.aborted) return this.refuse('abort', callerSignal.reason);
    if (this.timeLeftMs() <= 0) return this.refuse('timeout', timeoutError(TIME_IS_UP));
    if (bulkhead === undefined) return this.askBreaker();
    this.inBulkhead = bulkhead.tryEnter();
    if (this.inBulkhead) return this.askBreaker();
    const entered = bulkhead.enter(this.signal).then(() => {
      if (this.cutBy === undefined) this.inBulkhead = true;
      else bulkhead.leave();
    });
    // The attempt's own time starts with the operation; the session's deadline holds in the queue too.
    return this.race(entered, Infinity).then(() => {
      this.leave();
      return this.askBreaker();
    });
  }

  private askBreaker(): Promise<void> | undefined {
    const { breaker } = this.options;
    if (breaker !== undefined && this.policy.enabled) {
      this.permit = breaker.admit();
      if (this.permit === REFUSED) return this.refuse('breaker_open', undefined);
    }
    this.session?.recorder?.started(this.attempt);
    return undefined;
  }

  private refuse(cut: Cut, reason: unknown): Promise<void> {
    this.cutBy = cut;
    return Promise.reject(reason);
  }

  override guard(outcome: T | PromiseLike<T>): Promise<T> {
    const work = Promise.resolve(outcome);
    if (this.inBulkhead) {
      // The slot is free when the work has ended, not when somebody stopped waiting for it.
      const leave = () => this.options.bulkhead?.leave();
      // Nobody is left to be told what it throws, and as a rejection it would end the process.
      work.then(leave, leave).catch(() => {});
      this.inBulkhead = false;
    }
    return this.race(work, this.policy.attemptTimeoutMs);
  }

  /** Something under way, or what ends it from outside, whichever is first. */
  private race<R>(outcome: Promise<R>, attemptTimeoutMs: number): Promise<R> {
    const { callerSignal, clock } = this;
    const limitMs = Math.min(attemptTimeoutMs, this.timeLeftMs());
    if (callerSignal === undefined && limitMs === Infinity) return outcome;
    const race = newPromise<R>();
    const resolve = resolveLast;
    const reject = rejectLast;
    this.reject = reject;
    if (callerSignal !== undefined) abortHubOf(callerSignal).watch(this);
    if (limitMs !== Infinity) {
      const timekeeper = timekeeperOf(clock, this.options.unref);
      this.timeout = timekeeper.timeouts(Math.max(limitMs, 1)).start(this);
    }
    outcome.then(resolve, reject);
    if (callerSignal?.aborted) this.aborted(callerSignal.reason);
    return race;
  }

  override judge(value: T): Classification | undefined {
    const { classifyResult } = this.policy;
    if (classifyResult !== acceptEveryValue) {
      try {
        const failure = classifyResult(value, this.classifyContext());
        // Plain JavaScript may answer anything.
        if (failure?.errorClass) return failure;
      } catch {
        // Who cannot judge a value has nothing against it.
      }
    }
    this.leave();
    this.report(undefined);
    this.budget?.deposit();
    this.session?.recorder?.succeeded(this.attempt);
    return undefined;
  }

  private classifyContext(): ClassifyContext {
    return { attempt: this.attempt, nowMs: this.clock.now(), signal: this.callerSignal };
  }

  override fail(error: unknown): void {
    this.leave();
    if (this.inBulkhead) this.options.bulkhead?.leave();
    if (this.cutBy === undefined || this.cutBy === 'breaker_open') return;
    // What was ended from outside may still be running, and ask for its signal only now.
    this.controller ??= new AbortController();
    this.controller.abort(error);
  }

  override report(failure: Classification | undefined): void {
    if (this.permit !== REFUSED) this.options.breaker?.record(this.permit, failure);
  }

  aborted(reason: unknown): void {
    this.end('abort', reason);
  }

  timeUp(): void {
    const what =
      this.timeLeftMs() > 0
        ? `The attempt took longer than ${this.policy.attemptTimeoutMs} ms`
        : TIME_IS_UP;
    this.end('timeout', timeoutError(what));
  }

  private end(cut: Cut, reason: unknown): void {
    this.cutBy = cut;
    this.reject?.(reason);
  }

  private leave(): void {
    // Through it the attempt would hold its error, whose stack holds the attempt before: a chain that only grows.
    this.reject = undefined;
    if (this.callerSignal !== undefined) abortHubOf(this.callerSignal).unwatch(this);
    this.timeout?.stop();
  }
}

function callerSignal({ signal, parent }: RetryOptions): AbortSignal | undefined {
  if (parent?.signal === undefined || parent.signal === signal) return signal ?? undefined;
  return !signal ? parent.signal : AbortSignal.any([signal, parent.signal]);
}

const TIME_IS_UP = 'The time of the session is up';

/** Its stack would show the timer and nothing of the caller: not worth the time it takes. */
function timeoutError(message: string): RedriveError {
  // V8 and JavaScriptCore have it, the standard does not.
  const { stackTraceLimit = 10 } = Error as { stackTraceLimit?: number };
  // Unlike an assignment, this is harmless where the class is frozen.
  Reflect.set(Error, 'stackTraceLimit', 0);
  const error = new RedriveError('attempt_timeout', message);
  Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
  return error;
}
