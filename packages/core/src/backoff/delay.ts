/** How waits grow from one attempt to the next. */
export type Backoff = 'exponential' | 'linear' | 'fixed' | 'immediate';

/** The part of a policy that shapes its waits before jitter. */
export interface BackoffShape {
  readonly backoff: Backoff;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly multiplier: number;
  readonly immediateFirstRetry: boolean;
}

/**
 * The wait after failed attempt `attempt` (from 1), capped, before jitter. Exponential: `base * multiplier^(n-1)`,
 * linear: `base * n`, fixed: `base`, immediate: 0. `immediateFirstRetry` replaces the first wait by 0 and shifts
 * nothing. Not rounded: rounding comes last, after jitter.
 */
export function nominalDelayMs(shape: BackoffShape, attempt: number): number {
  const { backoff, baseDelayMs } = shape;
  // A base of 0 must end here: 0 * Infinity is NaN once the power has overflowed.
  if (backoff === 'immediate' || baseDelayMs === 0) return 0;
  if (shape.immediateFirstRetry && attempt === 1) return 0;
  let delayMs = baseDelayMs;
  if (backoff === 'linear') delayMs *= attempt;
  if (backoff === 'exponential') delayMs *= power(shape.multiplier, attempt - 1);
  return Math.min(delayMs, shape.maxDelayMs);
}

/**
 * By repeated squaring, because engines may differ in the last bit of `**` and the same schedule must come out
 * everywhere. Overflows to Infinity, which the cap then catches.
 */
function power(base: number, exponent: number): number {
  let result = 1;
  let square = base;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result *= square;
    square *= square;
  }
  return result;
}

/** The kind of randomness in waits, so that callers that failed together do not retry together. */
export type Jitter = 'none' | 'full' | 'equal' | 'decorrelated' | 'proportional';

/** The fields of a policy that jitter depends on. */
export interface JitterShape {
  readonly jitter: Jitter;
  readonly jitterAmount: number;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
}

/** Smallest and largest wait that jitter can make. */
export interface DelayRange {
  readonly minMs: number;
  readonly maxMs: number;
}

/**
 * The interval that jitter draws from, given the capped delay d. With amount a: `full` [d(1-a), d], `equal`
 * [d(1-a/2), d], `proportional` [d(1-a), d(1+a)], which may pass the cap by that factor, and `decorrelated`
 * [base, min(cap, 3 * previous)], which has no amount. The cap comes first, so that it cannot undo the jitter.
 */
export function jitterRange(shape: JitterShape, delayMs: number, lastDelayMs: number): DelayRange {
  const spreadMs = delayMs * shape.jitterAmount;
  switch (shape.jitter) {
    case 'none':
      return { minMs: delayMs, maxMs: delayMs };
    case 'full':
      return { minMs: delayMs - spreadMs, maxMs: delayMs };
    case 'equal':
      return { minMs: delayMs - spreadMs / 2, maxMs: delayMs };
    case 'proportional':
      return { minMs: delayMs - spreadMs, maxMs: delayMs + spreadMs };
    case 'decorrelated': {
      // Nothing to spread where the schedule says "at once": an immediate first retry stays immediate.
      if (delayMs === 0) return { minMs: 0, maxMs: 0 };
      // The wait before may be shorter than the base, if another policy made it: the base is the least all the same.
      const previousMs = Math.max(lastDelayMs, shape.baseDelayMs);
      return { minMs: shape.baseDelayMs, maxMs: Math.min(shape.maxDelayMs, 3 * previousMs) };
    }
  }
}

/** A whole number of milliseconds from the range; `random` is uniform on [0, 1). */
export function drawDelayMs(range: DelayRange, random: number): number {
  return Math.round(range.minMs + (range.maxMs - range.minMs) * random);
}
