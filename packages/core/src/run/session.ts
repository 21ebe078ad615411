import { REFUSED } from '../breaker/breaker.ts';
import { budgetFor } from '../budget/budgets.ts';
import type { Budget } from '../budget/retry-budget.ts';
import { answerOf } from '../classify/answer-of.ts';
import type { Clock } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import { MAX_FAILURES_KEPT } from '../errors/retry-error.ts';
import type { HandedOverAttempt } from '../hand-over/hand-over.ts';
import { isPlain } from '../policy/define-policy.ts';
import type { ResolvedPolicy } from '../policy/policy.ts';
import { newId } from '../random/session-random.ts';
import type { SessionRecorder } from '../records/session-recorder.ts';
import type { AttemptContext, FailedOutcome, Operation, RetryCounter } from './attempt-context.ts';
import { checkGuards, hasGuards, NO_OPTIONS, type RetryOptions } from './retry-options.ts';

/** A failed attempt, as its session remembers it. `delayMs` is 0 where no wait followed in this session. */
export interface Failure extends Omit<HandedOverAttempt, 'delayBeforeMs'> {
  readonly kind: FailedOutcome['kind'];
  /** The failure before it that is still remembered. */
  before: Failure | undefined;
}

/**
 * One call of `retry`: all that its attempts share. A plain call has no signal, time limit, guard or sink; if its first
 * attempt succeeds, little of this is ever read.
 */
export class Session<T> {
  readonly operation: Operation<T>;
  readonly policy: ResolvedPolicy;
  readonly options: RetryOptions;
  readonly guarded: boolean;
  /** Ends the session from outside: the caller's signal, or that of the attempt it is nested in. */
  signal: AbortSignal | undefined;
  budget: Budget | undefined;
  /** Reports the session to the sink, if there is one. */
  recorder: SessionRecorder | undefined;
  /** By the monotonic clock. */
  deadlineMs: number | undefined;
  /** The newest failure; each knows the one before it, so that a waiting call keeps no list. */
  lastFailure: Failure | undefined;
  /** When the first attempt failed, by the monotonic clock. A call that succeeds at once reads no clock. */
  failingSinceMs: number;
  #id: string | undefined;
  #counter: RetryCounter | undefined;

  /** @throws RedriveError `invalid_option` and `breaker_missing`. */
  constructor(operation: Operation<T>, policy: ResolvedPolicy, options: RetryOptions) {
    this.operation = operation;
    this.policy = policy;
    // A copy, because the caller may use the object again for its next call: a key must not change under way.
    this.options = options === NO_OPTIONS ? options : { ...options };
    this.guarded = !isPlain(policy) || (options !== NO_OPTIONS && hasGuards(options));
    this.signal = undefined;
    this.budget = undefined;
    this.recorder = undefined;
    this.deadlineMs = undefined;
    this.lastFailure = undefined;
    this.failingSinceMs = 0;
    if (this.guarded) this.guard(policy, options);
  }

  private guard(policy: ResolvedPolicy, options: RetryOptions): void {
    checkGuards(policy, options);
    const { signal, parent, events } = options;
    const outer = parent?.signal;
    const differ = signal && outer && signal !== outer;
    // Plain JavaScript may say `null` for none.
    this.signal = differ ? AbortSignal.any([signal, outer]) : (signal ?? outer ?? undefined);
    this.budget = budgetFor(policy.dependency, options.budget);
    const limitMs = Math.min(policy.ttlMs, parent?.timeLeftMs() ?? Infinity);
    if (limitMs < Infinity) this.deadlineMs = this.clock.monotonic() + limitMs;
    // A sink never fails a call.
    if (events) this.recorder = answerOf(() => events.open(this));
  }

  get clock(): Clock {
    return this.options.clock ?? systemClock;
  }

  get id(): string {
    this.#id ??= this.options.sessionId ?? newId(this.policy.id, this.clock);
    return this.#id;
  }

  get operationName(): string {
    return this.options.operation ?? this.policy.id;
  }

  get maxAttempts(): number {
    return this.policy.enabled ? this.policy.maxAttempts : 1;
  }

  /** The first failed attempt and the newest ones, oldest first. */
  get failures(): Failure[] {
    const failures: Failure[] = [];
    for (let each = this.lastFailure; each; each = each.before) failures.unshift(each);
    return failures;
  }

  /** The value or the error of the last failure. */
  get lastOutcome(): FailedOutcome | undefined {
    const { lastFailure: last } = this;
    if (!last) return undefined;
    const { kind, error } = last;
    return kind === 'error' ? { kind, error } : { kind, value: error };
  }

  /** How often the operation has failed. */
  get failedAttempts(): number {
    return this.lastFailure?.attempt ?? 0;
  }

  get inJob(): boolean {
    return this.options.parent?.inJob ?? false;
  }

  /** Whether the times of its attempts are read: in records, or on the next rung. */
  get isDated(): boolean {
    return this.recorder !== undefined || this.options.handOver !== undefined;
  }

  /** Counts the retries of this session together with those that are nested in it, or that it is nested in. */
  get retries(): RetryCounter {
    this.#counter ??= this.options.parent?.retries ?? { count: this.failedAttempts };
    return this.#counter;
  }

  /** Whether other calls use the counter: the call has a parent, or a nested call has asked for it. */
  get isNested(): boolean {
    return this.#counter !== undefined || this.options.parent !== undefined;
  }

  timeLeftMs(): number {
    return this.deadlineMs === undefined ? Infinity : this.deadlineMs - this.clock.monotonic();
  }

  /** Keeps the first failure and the newest ones, so that a session of a million attempts does not keep a million errors. */
  remember(failure: Failure): void {
    // Whole, because engines keep a fraction in an object of its own.
    if (!this.lastFailure) this.failingSinceMs = Math.round(this.clock.monotonic());
    this.lastFailure = failure;
    if (failure.attempt <= MAX_FAILURES_KEPT + 1) return;
    let oldest = failure;
    // The casts: there are more failures than these steps.
    for (let kept = 1; kept < MAX_FAILURES_KEPT; kept++) oldest = oldest.before as Failure;
    oldest.before = (oldest.before as Failure).before;
  }
}

/** The value or the error of an attempt. A value may still count as a failure. */
export type Outcome<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'error'; readonly error: unknown };

/** Something other than the operation ended the attempt, or kept it from starting. */
export interface Cut {
  readonly by: 'abort' | 'timeout' | 'breaker_open';
  readonly reason: unknown;
}

/** One attempt, as the operation sees it. Makes no id, controller or counter unless asked for one. */
export class Attempt<T> implements AttemptContext {
  readonly session: Session<T>;
  readonly attempt: number;
  cut: Cut | undefined;
  /** The breaker's permit. */
  permit: number;
  /** By the wall clock and by the monotonic one. Known where a record or the next rung needs them. */
  startedAtMs: number;
  startMs: number;
  #controller: AbortController | undefined;

  constructor(session: Session<T>, attempt: number) {
    this.session = session;
    this.attempt = attempt;
    this.cut = undefined;
    this.permit = REFUSED;
    this.startedAtMs = 0;
    this.startMs = 0;
  }

  get maxAttempts(): number {
    return this.session.maxAttempts;
  }

  get signal(): AbortSignal {
    const { policy, signal, deadlineMs } = this.session;
    // Only the caller can end this attempt: the caller's own signal is enough.
    if (signal && policy.attemptTimeoutMs === Infinity && deadlineMs === undefined) return signal;
    this.#controller ??= new AbortController();
    // An attempt that was cut may still be running, and ask for its signal only now.
    this.abortIfCut();
    return this.#controller.signal;
  }

  get sessionId(): string {
    return this.session.id;
  }

  get idempotencyKey(): string {
    return this.session.options.idempotencyKey ?? this.session.id;
  }

  get lastOutcome(): FailedOutcome | undefined {
    return this.session.lastOutcome;
  }

  get retries(): RetryCounter {
    return this.session.retries;
  }

  get inJob(): boolean {
    return this.session.inJob;
  }

  timeLeftMs(): number {
    return this.session.timeLeftMs();
  }

  /** Notes the time of the start, if a record or the next rung needs it. */
  start(): void {
    const { clock, isDated } = this.session;
    if (!isDated) return;
    this.startedAtMs = clock.now();
    this.startMs = clock.monotonic();
  }

  /** Notes what ended the attempt; the first call counts. Returns the reason, for the caller to throw. */
  cutBy(by: Cut['by'], reason?: unknown): unknown {
    this.cut ??= { by, reason };
    return reason;
  }

  /** Aborts the operation's signal, where it has one of its own, once the attempt was cut. */
  abortIfCut(): void {
    if (this.cut && this.cut.by !== 'breaker_open') this.#controller?.abort(this.cut.reason);
  }
}
