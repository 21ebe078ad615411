/**
 * Time, passed in. Everything in core that needs to know the time or to be woken asks a `Clock`, so that tests and
 * simulations run on virtual time and the decision never depends on when it is made.
 */
export interface Clock {
  /** Wall-clock time in milliseconds since the epoch. For records and hints only: it may jump. */
  now(): number;
  /** Milliseconds since some fixed point; never goes back. For every duration, deadline and window. */
  monotonic(): number;
  /**
   * Calls `wake` once, about `delayMs` from now. May be early by a millisecond and may be cut to 2^31 - 1 ms: whoever
   * sets a timer looks at `monotonic()` when it wakes and sets another one if it is not yet time.
   */
  setTimer(delayMs: number, wake: () => void): Timer;
}

/** A pending wake-up. */
export interface Timer {
  /** Forgets the wake-up. Harmless after it has happened. */
  cancel(): void;
  /** Whether the pending timer keeps a Node process alive. It does until told otherwise. */
  hold(keepAlive: boolean): void;
}

/** The longest wait that `setTimeout` honours; a longer one fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** Ten years. A longer time is a mistake or meant as never; below it all arithmetic stays exact and all dates valid. */
export const MAX_DURATION_MS = 315_360_000_000;
