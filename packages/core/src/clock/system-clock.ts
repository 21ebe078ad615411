import { type Clock, MAX_TIMER_MS, type Timer } from './clock.ts';

/** The return value of `setTimeout`: a number in browsers, an object with these methods in Node. */
interface NodeTimeout {
  ref?: () => void;
  unref?: () => void;
}

class SystemTimer implements Timer {
  readonly #id: ReturnType<typeof setTimeout>;

  constructor(delayMs: number, wake: () => void) {
    this.#id = setTimeout(wake, Math.min(delayMs, MAX_TIMER_MS));
  }

  cancel(): void {
    clearTimeout(this.#id);
  }

  hold(keepAlive: boolean): void {
    // The DOM types know only the number; in Node it is an object whose ref() and unref() decide.
    const timeout = this.#id as unknown as NodeTimeout;
    if (keepAlive) timeout.ref?.();
    else timeout.unref?.();
  }
}

/** The machine's clocks and timers: `Date.now`, `performance.now`, `setTimeout`. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer: (delayMs, wake) => new SystemTimer(delayMs, wake),
};
