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
