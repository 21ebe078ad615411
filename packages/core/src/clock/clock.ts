/**
 * Time, passed in. All code in core takes the time and its timers from a `Clock`, so that tests and simulations run on
 * virtual time.
 */
export interface Clock {
  /** Wall-clock time in milliseconds since the epoch. For records and hints only: it may jump. */
  now(): number;
  /** Milliseconds since some fixed point; never goes back. For every duration, deadline and window. */
  monotonic(): number;
  /**
   * Calls `wake` once, about `delayMs` from now. It may fire a millisecond early, and after 2^31 - 1 ms at the latest: the
   * caller compares `monotonic()` in `wake`, and sets another timer if it is too early.
   */
  setTimer(delayMs: number, wake: () => void): Timer;
  /**
   * For simulations: a text of at most 11 digits and small letters that no other call returns, and that sorts after those
   * before. It becomes the random part of ids, so that a simulation has the same ids, and the same jitter, in every run.
   * Default: ids have a part that is drawn at random in each process.
   */
  uniquePart?(): string;
}

/** A pending wake-up. */
export interface Timer {
  /** Forgets the wake-up. Harmless after it has happened. */
  cancel(): void;
  /** Whether the pending timer keeps a Node process alive. Default: it does. */
  hold(keepAlive: boolean): void;
}

/** The longest wait that `setTimeout` honours; a longer one fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Ten years. A longer time is a mistake or meant as never; below it all arithmetic stays exact and all dates valid. */
export const MAX_DURATION_MS = 315_360_000_000;
