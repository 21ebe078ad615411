import { type Clock, systemClock, type Timer } from '@redrive/core';

interface Waiting {
  readonly dueMs: number;
  readonly wake: () => void;
  timer: Timer;
}

/** The system's time, some days ago, that can jump ahead: timers that come due in between fire at once, in order. */
export class JumpingClock implements Clock {
  readonly #waiting = new Set<Waiting>();
  #aheadMs: number;
  #jumpedMs = 0;

  /** @param startMs where the wall clock starts. */
  constructor(startMs: number) {
    this.#aheadMs = startMs - systemClock.now();
  }

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#jumpedMs;
  }

  setTimer(delayMs: number, wake: () => void): Timer {
    const waiting: Waiting = { dueMs: this.monotonic() + delayMs, wake, timer: NO_TIMER };
    const fire = () => {
      if (this.#waiting.delete(waiting)) wake();
    };
    waiting.timer = systemClock.setTimer(delayMs, fire);
    this.#waiting.add(waiting);
    return {
      cancel: () => {
        this.#waiting.delete(waiting);
        waiting.timer.cancel();
      },
      hold: (keepAlive) => waiting.timer.hold(keepAlive),
    };
  }

  /** Moves both clocks ahead. A timer that is not due yet goes on, with a shorter wait. */
  jump(ms: number): void {
    this.#aheadMs += ms;
    this.#jumpedMs += ms;
    const before = [...this.#waiting].toSorted((a, b) => a.dueMs - b.dueMs);
    for (const waiting of before) {
      // An earlier one may have cancelled it.
      if (!this.#waiting.has(waiting)) continue;
      waiting.timer.cancel();
      const restMs = waiting.dueMs - this.monotonic();
      if (restMs <= 0) {
        this.#waiting.delete(waiting);
        waiting.wake();
        continue;
      }
      waiting.timer = systemClock.setTimer(restMs, () => {
        if (this.#waiting.delete(waiting)) waiting.wake();
      });
    }
  }
}

const NO_TIMER: Timer = { cancel: () => {}, hold: () => {} };
