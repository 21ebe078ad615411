import type { Classification } from '../classify/classification.ts';
import { systemClock } from '../clock/system-clock.ts';
import type { ResolvedPolicy } from '../policy/policy.ts';
import { newId } from '../random/ids.ts';
import type { AttemptContext, FailedOutcome, RetryCounter } from './attempt-context.ts';
import type { RetryOptions } from './retry-options.ts';
import type { Session } from './session.ts';

/** The operation: called anew for each attempt. */
export type Operation<T> = (context: AttemptContext) => T | PromiseLike<T>;

/** All that follows the first error of a call. */
export type AfterError = <T>(attempt: Attempt<T>, error: unknown) => Promise<T>;

/** Why an attempt did not end by itself. */
export type Cut = 'abort' | 'timeout' | 'breaker_open';

/**
 * One attempt, and what the operation sees of it. A first attempt that succeeds is all there ever is of a plain call: it
 * has no session, reads no clock, and makes no id, controller or counter unless asked for one.
 *
 * This one is plain: nothing ends it but the operation. `GuardedAttempt` fills in the steps that are empty here.
 */
export class Attempt<T> implements AttemptContext {
  readonly operation: Operation<T>;
  readonly policy: ResolvedPolicy;
  readonly options: RetryOptions;
  readonly attempt: number;
  /** There from the first failure on, or from the start where a sink wants to hear of it. */
  session: Session<T> | undefined;
  protected controller: AbortController | undefined;
  // What a first attempt had to make up before there was a session, which then takes it over.
  ownId: string | undefined;
  ownRetries: RetryCounter | undefined;

  constructor(
    operation: Operation<T>,
    policy: ResolvedPolicy,
    options: RetryOptions,
    session: Session<T> | undefined,
    attempt: number,
  ) {
    this.operation = operation;
    this.policy = policy;
    this.options = options;
    this.session = session;
    this.attempt = attempt;
    this.controller = undefined;
    this.ownId = undefined;
    this.ownRetries = undefined;
  }

  get maxAttempts(): number {
    return this.policy.enabled ? this.policy.maxAttempts : 1;
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    return this.controller.signal;
  }

  get sessionId(): string {
    if (this.session !== undefined) return this.session.id;
    this.ownId ??= newSessionId(this.policy, this.options);
    return this.ownId;
  }

  get idempotencyKey(): string {
    return this.options.idempotencyKey ?? this.sessionId;
  }

  get lastOutcome(): FailedOutcome | undefined {
    return this.session?.lastFailure?.outcome;
  }

  get retries(): RetryCounter {
    if (this.session !== undefined) return this.session.sharedRetries();
    this.ownRetries ??= newRetryCounter(this.options, 0);
    return this.ownRetries;
  }

  get inJob(): boolean {
    return this.options.parent?.inJob ?? false;
  }

  timeLeftMs(): number {
    return Infinity;
  }

  /** What ended the attempt, if it was not the operation. */
  get cut(): Cut | undefined {
    return undefined;
  }

  /** Asks for admission. A promise where that takes time; it rejects when the attempt may not start. */
  enter(): Promise<void> | undefined {
    return undefined;
  }

  /** What the operation returned; what it rejects with goes on with `afterError`. */
  follow(outcome: Promise<T>, afterError: AfterError): Promise<T> {
    return outcome.then(undefined, (error) => afterError(this, error));
  }

  /** Puts the guards around what the operation returned. */
  guard(outcome: T | PromiseLike<T>): T | PromiseLike<T> {
    return outcome;
  }

  /** Looks at a returned value: what is wrong with it, or `undefined` for a success. */
  judge(_value: T): Classification | undefined {
    return undefined;
  }

  /** Ends the attempt after a failure: lets go of whatever it was registered with. */
  fail(_error: unknown): void {}

  /** Tells whoever guards the attempt how it ended; `undefined` is success. */
  report(_failure: Classification | undefined): void {}
}

export function newSessionId(policy: ResolvedPolicy, options: RetryOptions): string {
  return options.sessionId ?? newId(policy.id, options.clock ?? systemClock);
}

/** A nested session counts with its parent; a root counts for itself and for all that are nested in it. */
export function newRetryCounter(options: RetryOptions, retries: number): RetryCounter {
  return options.parent?.retries ?? { count: retries };
}
