import type { ResolvedPolicy } from '../policy/policy.ts';

/** How waits grow from one attempt to the next. */
export type Backoff = 'exponential' | 'linear' | 'fixed' | 'immediate' | 'schedule';

/** The part of a policy that shapes its waits before jitter. */
export interface BackoffShape {
  readonly backoff: Backoff;
  readonly baseDelayMs: number;
  readonly maxDelayMs: number;
  readonly multiplier: number;
  readonly immediateFirstRetry: boolean;
  /** The waits of a `schedule`. */
  readonly delaysMs?: readonly number[] | undefined;
}

/**
 * The wait after failed attempt `attempt` (from 1), capped, before jitter. Exponential: `base * multiplier^(n-1)`,
 * linear: `base * n`, fixed: `base`, immediate: 0, schedule: entry n of its list, the last one repeats.
 * `immediateFirstRetry` replaces the first wait by 0 and shifts nothing. Not rounded: rounding comes last, after jitter.
 */
export function nominalDelayMs(shape: BackoffShape, attempt: number): number {
  const { backoff, baseDelayMs, delaysMs = [] } = shape;
  if (backoff === 'immediate' || (shape.immediateFirstRetry && attempt === 1)) return 0;
  if (backoff === 'schedule') return delaysMs[Math.min(attempt, delaysMs.length) - 1] ?? 0;
  // A base of 0 must end here: 0 * Infinity is NaN once the power has overflowed.
  if (baseDelayMs === 0) return 0;
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
  let minMs = delayMs;
  let maxMs = delayMs;
  switch (shape.jitter) {
    case 'full':
      minMs -= spreadMs;
      break;
    case 'equal':
      minMs -= spreadMs / 2;
      break;
    case 'proportional':
      minMs -= spreadMs;
      maxMs += spreadMs;
      break;
    case 'decorrelated':
      // Nothing to spread where the schedule says "at once": an immediate first retry stays immediate.
      if (delayMs === 0) break;
      minMs = shape.baseDelayMs;
      // The wait before may be shorter than the base, if another policy made it: the base is the least all the same.
      maxMs = Math.min(shape.maxDelayMs, 3 * Math.max(lastDelayMs, minMs));
  }
  return { minMs, maxMs };
}

/** A whole number of milliseconds from the range; `random` is uniform on [0, 1). */
export function drawDelayMs(range: DelayRange, random: number): number {
  return Math.round(range.minMs + (range.maxMs - range.minMs) * random);
}

/** One wait. Whole milliseconds, as the runner rounds them. */
export interface PolicyDelay {
  /** The attempt that follows the wait. */
  readonly attempt: number;
  /** Before jitter. */
  readonly nominal: number;
  readonly min: number;
  readonly max: number;
}

/** Every wait of a policy with the band that jitter makes. There may be a billion of them: take some. */
export function* delaysOf(policy: ResolvedPolicy): Generator<PolicyDelay, undefined> {
  const attempts = policy.enabled ? policy.maxAttempts : 1;
  let lastMaxMs = 0;
  for (let attempt = 2; attempt <= attempts; attempt += 1) {
    const nominalMs = nominalDelayMs(policy, attempt - 1);
    const { minMs, maxMs } = jitterRange(policy, nominalMs, lastMaxMs);
    const [nominal = 0, min = 0, max = 0] = [nominalMs, minMs, maxMs].map(Math.round);
    lastMaxMs = max;
    yield { attempt, nominal, min, max };
  }
}
