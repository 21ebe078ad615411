import type { Classification, ErrorClass } from '../classify/classification.ts';

/** The states of a breaker, as documents and records write them. */
export type BreakerStateName = 'closed' | 'open' | 'half_open';

/**
 * The port of a circuit breaker: the runner calls `admit` before an attempt and `record` after it. `CircuitBreaker`
 * implements it in process; a breaker shared by several processes may implement it too.
 */
export interface Breaker {
  /** The dependency that it guards. Names a call without a name in the message of its give-up. Default: none. */
  readonly dependency?: string | undefined;
  /** A permit if the call may run; `-1` if not. */
  admit(): BreakerPermit | BreakerRefusal;
  /**
   * Reports the outcome of an admitted call: `undefined` is success. Permits of an earlier generation are ignored, so that
   * a late outcome cannot change the breaker. `ignored` (the caller cancelled) releases the permit and is not counted.
   */
  record(permit: BreakerPermit, failure: Classification | undefined): void;
  /** Milliseconds until a call may run again; 0 if a call may run now. Changes nothing. */
  openForMs(): number;
}

/** The generation in which a call was admitted. A plain number, so that admission allocates nothing. */
export type BreakerPermit = number;

/** No permit. `openForMs()` has the time until the next one. */
export type BreakerRefusal = -1;

export const REFUSED: BreakerRefusal = -1;

/** Whether an outcome is a failure of the dependency. A final error is not: the dependency has answered. */
export function isDependencyFailure(errorClass: ErrorClass | undefined): boolean {
  return errorClass === 'retryable' || errorClass === 'rate_limited';
}

/** The document of a circuit breaker's state. Durations in seconds, times in ISO 8601. */
export interface CircuitBreakerState {
  /** The breaker's key: the dependency, or the policy's id where none is named. */
  readonly policy_id: string;
  readonly state: BreakerStateName;
  readonly failure_count: number;
  readonly last_failure_time?: string;
  readonly threshold: number;
  readonly timeout: number;
  readonly last_state_change: string;
  /** Redrive's own additions to the shape. */
  readonly redrive?: {
    readonly schema_version: 1;
    /** Mode `ratio`: calls in the window, of which `failure_count` failed. Otherwise 0. */
    readonly calls: number;
    /** An operator keeps it open. */
    readonly isolated: boolean;
  };
}
