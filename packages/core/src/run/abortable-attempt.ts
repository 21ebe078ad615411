import type { ResolvedPolicy } from '../policy/policy.ts';
import { type Abortable, type AbortHub, abortHubOf } from './abort-hub.ts';
import { type AfterError, Attempt, type Operation } from './attempt.ts';
import { newPromise, rejectLast, resolveLast } from './new-promise.ts';
import type { RetryOptions } from './retry-options.ts';
import type { Link } from './ring.ts';

/**
 * The first attempt of a call that is plain but for the caller's signal. Such calls are common enough to be kept cheap;
 * what is left to guard after a failure, `GuardedAttempt` guards.
 */
export class AbortableAttempt<T> extends Attempt<T> implements Abortable {
  before: Link;
  after: Link;
  private readonly hub: AbortHub;
  private readonly settled: Promise<T>;
  private readonly resolve: (value: T | Promise<T>) => void;
  private readonly reject: (reason: unknown) => void;

  constructor(
    operation: Operation<T>,
    policy: ResolvedPolicy,
    options: RetryOptions,
    signal: AbortSignal,
  ) {
    super(operation, policy, options, undefined, 1);
    this.before = this;
    this.after = this;
    this.settled = newPromise();
    this.resolve = resolveLast;
    this.reject = rejectLast;
    this.hub = abortHubOf(signal);
    this.hub.watch(this);
  }

  override get signal(): AbortSignal {
    return this.hub.signal;
  }

  /** As for a plain attempt; the caller's abort comes out at once, and then nobody waits for the rest. */
  override follow(outcome: Promise<T>, afterError: AfterError): Promise<T> {
    outcome.then(
      (value) => {
        this.hub.unwatch(this);
        this.resolve(value);
      },
      (error) => {
        if (this.after === this) return;
        this.hub.unwatch(this);
        this.resolve(afterError(this, error));
      },
    );
    return this.settled;
  }

  aborted(reason: unknown): void {
    this.reject(reason);
  }
}
