import { answerOf } from '../classify/answer-of.ts';
import type { Classification } from '../classify/classification.ts';
import type { CircuitBreakerState } from './breaker.ts';
import {
  type Breaker,
  type BreakerPermit,
  type BreakerRefusal,
  type BreakerStateName,
  isDependencyFailure,
  REFUSED,
} from './breaker.ts';
import {
  type CircuitBreakerOptions,
  type ResolvedBreakerOptions,
  resolveBreakerOptions,
} from './breaker-options.ts';
import {
  type Closed,
  failuresOf,
  type HalfOpen,
  halfOpen,
  type Isolated,
  nameOf,
  type Open,
  redeem,
  type State,
} from './states.ts';
import { newTally } from './tally.ts';

/** @internal The state that `breakerFromState` has read. */
export interface RestoredBreaker {
  readonly state: State;
  readonly changedAtMs: number;
  readonly lastFailureAtMs: number | undefined;
}

/**
 * A circuit breaker: closed, open or half-open; `states.ts` draws it.
 *
 * The outcomes `retryable` and `rate_limited` are failures of the dependency. `final` is a success here: the dependency
 * has answered, and the answer was that the caller is wrong. `ignored` counts for nothing.
 *
 * It has no timers: its state changes only in `admit` and `record`, or by an operator. All durations are monotonic; the
 * wall clock is read only for records and documents.
 */
export class CircuitBreaker implements Breaker {
  readonly #options: ResolvedBreakerOptions;
  #state: State;
  /** The last permit. Permits only increase. */
  #serial = 0;
  #changedAtMs: number;
  #lastFailureAtMs: number | undefined;

  /** @internal Use `circuitBreaker` or `breakerFromState`. */
  constructor(options: ResolvedBreakerOptions, restored?: RestoredBreaker) {
    this.#options = options;
    this.#state = restored?.state ?? this.#closed();
    this.#changedAtMs = restored?.changedAtMs ?? options.clock.now();
    this.#lastFailureAtMs = restored?.lastFailureAtMs;
  }

  /** The state stays `open` after the timeout until the next call: there are no timers. */
  get state(): BreakerStateName {
    return nameOf(this.#state);
  }

  /** Its `key`; empty where that is the default. */
  get dependency(): string {
    const { key } = this.#options;
    return key === 'default' ? '' : key;
  }

  get isolated(): boolean {
    return this.#state.name === 'isolated';
  }

  /** Failures in a row, or in the window. When not closed: the failures that opened it, plus failed probes since. */
  get failureCount(): number {
    return failuresOf(this.#state);
  }

  admit(): BreakerPermit | BreakerRefusal {
    const state = this.#state;
    // The path of nearly every call: no clock, no allocation.
    return state.name === 'closed' ? state.permit : this.#admitProbe(state);
  }

  record(permit: BreakerPermit, failure: Classification | undefined): void {
    const state = this.#state;
    const errorClass = failure?.errorClass;
    if (!redeem(state, permit) || errorClass === 'ignored') return;
    const failed = isDependencyFailure(errorClass);
    if (failed) this.#lastFailureAtMs = this.#options.clock.now();
    if (state.name === 'closed') {
      if (state.tally.add(failed)) this.#open(failuresOf(state));
    } else if (failed) {
      state.failures += 1;
      state.spare -= 1;
      if (state.spare < 0) this.#open(state.failures);
    } else {
      state.needed -= 1;
      if (state.needed === 0) this.#become(this.#closed());
    }
  }

  /** Milliseconds until a call may run again. While isolated that is not known: it answers `timeoutMs`. */
  openForMs(): number {
    const state = this.#state;
    if (state.name === 'closed') return 0;
    if (state.name === 'isolated') return this.#options.timeoutMs;
    return Math.max(0, Math.ceil(this.#nextPlaceAtMs(state) - this.#options.clock.monotonic()));
  }

  /**
   * Keeps the breaker open until the returned function is called. Several callers may isolate it. When the last one
   * releases it, the state before is restored: closed with its count, open until its time, or half-open with new
   * probes. Calling the function twice is harmless. Outcomes of calls that were running are not counted.
   */
  isolate(): () => void {
    const state = this.#state;
    const isolated: Isolated =
      state.name === 'isolated' ? state : { name: 'isolated', handles: 0, before: state };
    isolated.handles += 1;
    this.#become(isolated);
    let held = true;
    return () => {
      if (held) this.#release(isolated);
      held = false;
    };
  }

  /** Closes the breaker and resets its counts. An isolated breaker stays isolated, and is closed after the release. */
  reset(): void {
    const state = this.#state;
    if (state.name === 'isolated') state.before = this.#closed();
    else this.#become(this.#closed());
  }

  /** The document of its state. `breakerFromState` reads it back. */
  toState(): CircuitBreakerState {
    const { key, threshold, timeoutMs } = this.#options;
    const state = this.#state;
    return {
      policy_id: key,
      state: this.state,
      failure_count: this.failureCount,
      ...(this.#lastFailureAtMs !== undefined && { last_failure_time: iso(this.#lastFailureAtMs) }),
      threshold,
      timeout: timeoutMs / 1000,
      last_state_change: iso(this.#changedAtMs),
      redrive: {
        schema_version: 1,
        calls: state.name === 'closed' ? state.tally.counts().calls : 0,
        isolated: this.isolated,
      },
    };
  }

  #admitProbe(state: Open | HalfOpen | Isolated): BreakerPermit | BreakerRefusal {
    if (state.name === 'isolated') return REFUSED;
    const nowMs = this.#options.clock.monotonic();
    if (nowMs < this.#nextPlaceAtMs(state)) return REFUSED;
    const probing = state.name === 'open' ? halfOpen(this.#options, state.failures) : state;
    // A probe that took too long loses its place; its outcome will find no permit.
    const oldest = blocking(probing);
    if (oldest) probing.pending.delete(oldest[0]);
    this.#serial += 1;
    probing.pending.set(this.#serial, nowMs);
    this.#become(probing);
    return this.#serial;
  }

  /** Monotonic time from which a call may pass. */
  #nextPlaceAtMs(state: Open | HalfOpen): number {
    if (state.name === 'open') return state.untilMs;
    const oldest = blocking(state);
    return oldest ? oldest[1] + this.#options.probeTimeoutMs : -Infinity;
  }

  #release(isolated: Isolated): void {
    isolated.handles -= 1;
    if (isolated.handles > 0) return;
    const { before } = isolated;
    // With new permits, so that calls from before the isolation cannot move it.
    if (before.name === 'closed') this.#become(this.#closed(before.tally));
    else if (before.name === 'open') this.#become(before);
    else this.#become(halfOpen(this.#options, before.failures));
  }

  #closed(tally = newTally(this.#options)): Closed {
    this.#serial += 1;
    return { name: 'closed', permit: this.#serial, tally };
  }

  #open(failures: number): void {
    const { clock, timeoutMs } = this.#options;
    this.#become({ name: 'open', untilMs: clock.monotonic() + timeoutMs, failures });
  }

  /** The one place where the state changes. */
  #become(next: State): void {
    const from = this.state;
    this.#state = next;
    const to = this.state;
    if (from === to) return;
    const { key, clock, events } = this.#options;
    const atMs = clock.now();
    this.#changedAtMs = atMs;
    const failureCount = failuresOf(next);
    // A listener never fails a call.
    answerOf(() => events?.emit({ kind: 'breaker_changed', atMs, key, from, to, failureCount }));
  }
}

/** The oldest probe and its time, if all places are taken. */
function blocking({ pending, needed, spare }: HalfOpen): [BreakerPermit, number] | undefined {
  return pending.size < needed + spare ? undefined : pending.entries().next().value;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * Creates a circuit breaker. Pass the same breaker to all calls of a dependency.
 *
 * ```ts
 * const breaker = circuitBreaker({ key: 'payments', threshold: 5, timeoutMs: 60_000 });
 * ```
 *
 * @throws RedriveError `invalid_option` with every problem at once.
 */
export function circuitBreaker(options: CircuitBreakerOptions = {}): CircuitBreaker {
  return new CircuitBreaker(resolveBreakerOptions(options));
}
