import type { Classification, ErrorClass } from '../classify/classification.ts';

/** The states of a breaker, as documents and records write them. */
export type BreakerStateName = 'closed' | 'open' | 'half_open';

/**
 * What the runner needs of a circuit breaker: ask before an attempt, tell after it.
 * `CircuitBreaker` is the implementation; a shared one may stand in its place.
 */
export interface Breaker {
  /** A permit when the call may go on, or how long to stay away. */
  admit(): BreakerPermit | BreakerRefusal;
  /**
   * Reports an admitted call's end: `undefined` is success. Permits of an earlier generation are ignored, so that a late
   * outcome cannot move the breaker. `ignored` (the caller cancelled) frees the permit and counts for nothing.
   */
  record(permit: BreakerPermit, failure: Classification | undefined): void;
  /** Milliseconds until a call may pass again; 0 when one may pass now. Reads, changes nothing. */
  openForMs(): number;
}

/** The generation in which a call was admitted. A plain number, so that admission allocates nothing. */
export type BreakerPermit = number;

/** Negative: no permit. The runner asks `openForMs()` for the time. */
export type BreakerRefusal = -1;

export const REFUSED: BreakerRefusal = -1;

/** Whether an attempt's end is a failure of its dependency. A final error is an answer, and thus a success here. */
export function isDependencyFailure(errorClass: ErrorClass | undefined): boolean {
  return errorClass === 'retryable' || errorClass === 'rate_limited';
}
