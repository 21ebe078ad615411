import type { ResolvedPolicy } from '../policy/policy.ts';
import { type Abortable, type AbortHub, abortHubOf } from './abort-hub.ts';
import { Attempt, type Operation } from './attempt.ts';
import type { RetryOptions } from './retry-options.ts';
import type { Link } from './ring.ts';

type Resolve<T> = (value: T | Promise<T>) => void;
type Reject = (reason: unknown) => void;

// A new promise hands its functions to one executor for all: a closure for each call would be one more allocation.
let newResolve: Resolve<never>;
let newReject: Reject;
const capture = (resolve: Resolve<never>, reject: Reject): void => {
  newResolve = resolve;
  newReject = reject;
};

/**
 * The first attempt of a call that is plain but for the caller's signal. Such calls are common enough to be kept cheap;
 * what is left to guard after a failure, `GuardedAttempt` guards.
 */
export class AbortableAttempt<T> extends Attempt<T> implements Abortable {
  before: Link;
  after: Link;
  /** The outcome, or at once the caller's abort. */
  readonly settled: Promise<T>;
  private readonly hub: AbortHub;
  private readonly resolve: Resolve<T>;
  private readonly reject: Reject;

  constructor(
    operation: Operation<T>,
    policy: ResolvedPolicy,
    options: RetryOptions,
    signal: AbortSignal,
  ) {
    super(operation, policy, options, undefined, 1);
    this.before = this;
    this.after = this;
    this.settled = new Promise(capture);
    this.resolve = newResolve as Resolve<T>; // It belongs to the promise made just now.
    this.reject = newReject;
    this.hub = abortHubOf(signal);
    this.hub.watch(this);
  }

  override get signal(): AbortSignal {
    return this.hub.signal;
  }

  /** Goes on with a failure, unless the caller has aborted: then it has its answer, and nobody waits for this one. */
  override follow(outcome: Promise<T>, goOn: (error: unknown) => Promise<T>): Promise<T> {
    outcome.then(
      (value) => {
        this.hub.unwatch(this);
        this.resolve(value);
      },
      (error) => {
        if (this.after === this) return;
        this.hub.unwatch(this);
        this.resolve(goOn(error));
      },
    );
    return this.settled;
  }

  aborted(reason: unknown): void {
    this.reject(reason);
  }
}
