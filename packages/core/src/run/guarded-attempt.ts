import { REFUSED } from '../breaker/breaker.ts';
import type { Classification } from '../classify/classification.ts';
import { RedriveError } from '../errors/redrive-error.ts';
import { acceptEveryValue } from '../policy/define-policy.ts';
import { type AbortEntry, type AbortHub, abortHubOf } from './abort-hub.ts';
import { Attempt, type Cut } from './attempt.ts';
import type { Session } from './session.ts';
import { type TimeoutEntry, type TimeoutList, timeoutListOf } from './timeouts.ts';

/**
 * An attempt that can be ended from outside: by the caller's signal, its own timeout or the session's deadline, and
 * that a bulkhead or a breaker may refuse.
 *
 * Its result is a race between the operation and whatever ends it. The race is a promise and not a callback, so that
 * what follows runs in the caller's async context although a shared timer decided it.
 */
export class GuardedAttempt<T> extends Attempt<T> implements TimeoutEntry, AbortEntry {
  private readonly owner: Session<T>;
  private cutBy: Cut | undefined = undefined;
  private permit: number = REFUSED;
  private resolve: (value: T | PromiseLike<T>) => void = ignore;
  private reject: (reason: unknown) => void = ignore;

  timeoutList: TimeoutList | undefined = undefined;
  timeoutBatch: TimeoutEntry['timeoutBatch'] = undefined;
  timeoutBefore: TimeoutEntry | undefined = undefined;
  timeoutAfter: TimeoutEntry | undefined = undefined;
  abortHub: AbortHub | undefined = undefined;
  abortBefore: AbortEntry | undefined = undefined;
  abortAfter: AbortEntry | undefined = undefined;

  constructor(session: Session<T>, attempt: number) {
    super(session.operation, session.policy, session.options, session, attempt);
    this.owner = session;
  }

  override get signal(): AbortSignal {
    const { signal, deadlineMs } = this.owner;
    // Nothing but the caller can end it: the caller's own signal says all there is to say.
    if (signal !== undefined && this.policy.attemptTimeoutMs === Infinity && deadlineMs === Infinity) return signal;
    return super.signal;
  }

  override get cut(): Cut | undefined {
    return this.cutBy;
  }

  override timeLeftMs(): number {
    return this.owner.timeLeftMs();
  }

  /** Bulkhead, breaker, timeout, operation: from the outside in. */
  override run(): Promise<T> {
    const { signal } = this.owner;
    const { bulkhead } = this.options;
    const race = new Promise<T>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    if (signal?.aborted) {
      this.end('abort', signal.reason);
      return race;
    }
    if (signal !== undefined) abortHubOf(signal).add(this);
    if (bulkhead === undefined || bulkhead.tryEnter()) this.start();
    else this.queue(bulkhead.enter(this.signal));
    return race;
  }

  /** The operation's time starts when it has a slot; the session's deadline holds in the queue too. */
  private queue(entered: Promise<void>): void {
    this.limit(Infinity);
    entered.then(
      () => {
        if (this.cutBy !== undefined) return this.options.bulkhead?.leave();
        this.timeoutList?.remove(this);
        this.start();
      },
      (error) => this.reject(error),
    );
  }

  private start(): void {
    const { breaker, bulkhead } = this.options;
    if (breaker !== undefined && this.policy.enabled) {
      this.permit = breaker.admit();
      if (this.permit === REFUSED) {
        bulkhead?.leave();
        this.end('breaker_open', undefined);
        return;
      }
    }
    this.limit(this.policy.attemptTimeoutMs);
    const outcome = super.run();
    outcome.then(this.resolve, this.reject);
    if (bulkhead !== undefined) {
      // The slot is free when the work has ended, not when somebody stopped waiting for it.
      const leave = () => bulkhead.leave();
      outcome.then(leave, leave);
    }
  }

  /** Enters the attempt into the list for its own limit or the session's, whichever is shorter. */
  private limit(attemptTimeoutMs: number): void {
    const limitMs = Math.min(attemptTimeoutMs, this.owner.timeLeftMs());
    if (limitMs !== Infinity) timeoutListOf(this.owner.clock, Math.max(limitMs, 1)).add(this);
  }

  override judge(value: T): Classification | undefined {
    const { classifyResult } = this.policy;
    const failure = classifyResult === acceptEveryValue ? undefined : classifyResult(value);
    if (failure !== undefined) return failure;
    const { owner } = this;
    this.leave();
    owner.attempts++;
    if (this.permit !== REFUSED) this.options.breaker?.record(this.permit, undefined);
    owner.budget?.deposit();
    owner.recorder?.succeeded(this.attempt);
    return undefined;
  }

  override leave(): void {
    this.abortHub?.remove(this);
    this.timeoutList?.remove(this);
  }

  override report(failure: Classification): void {
    if (this.permit !== REFUSED) this.options.breaker?.record(this.permit, failure);
  }

  aborted(reason: unknown): void {
    this.end('abort', reason);
  }

  timeUp(): void {
    const { attemptTimeoutMs, ttlMs } = this.policy;
    if (this.owner.timeLeftMs() <= 0) {
      this.end('deadline', timeoutError(`The session's time of ${ttlMs} ms is up`));
    } else {
      this.end('attempt_timeout', timeoutError(`The attempt took longer than ${attemptTimeoutMs} ms`));
    }
  }

  private end(cut: Cut, reason: unknown): void {
    this.cutBy = cut;
    this.reject(reason);
  }

  override stop(reason: unknown): void {
    this.controller?.abort(reason);
  }
}

function ignore(): void {}

/** Its stack would show the timer and nothing of the caller: not worth the time it takes. */
function timeoutError(message: string): RedriveError {
  const errors: { stackTraceLimit?: number } = Error; // V8 and JavaScriptCore have it, the standard does not.
  const { stackTraceLimit = 10 } = errors;
  errors.stackTraceLimit = 0;
  try {
    return new RedriveError('attempt_timeout', message);
  } finally {
    errors.stackTraceLimit = stackTraceLimit;
  }
}
