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
