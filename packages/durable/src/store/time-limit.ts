import { type Clock, systemClock, type Timer } from '@redrive/core';

/**
 * Watches over things that must all be over within the same time. One timer serves them all: it is set for the oldest,
 * and what ends in time leaves it alone, so that a thing that is quickly over costs no timer. It does not keep the
 * process alive.
 */
export class TimeLimit<T> {
  readonly #timeoutMs: number;
  readonly #onOverdue: (thing: T) => void;
  readonly #clock: Clock;
  /** Until when each may take, the oldest first. */
  readonly #underWay = new Map<T, number>();
  #timer: Timer | undefined;

  /** `onOverdue` is called once for each thing that has not ended in time. `Infinity`: there is no limit. */
  constructor(timeoutMs: number, onOverdue: (thing: T) => void, clock: Clock = systemClock) {
    this.#timeoutMs = timeoutMs;
    this.#onOverdue = onOverdue;
    this.#clock = clock;
  }

  begin(thing: T): void {
    if (this.#timeoutMs === Infinity) return;
    this.#underWay.set(thing, this.#clock.monotonic() + this.#timeoutMs);
    if (this.#timer === undefined) this.#wakeIn(this.#timeoutMs);
  }

  end(thing: T): void {
    this.#underWay.delete(thing);
  }

  /** Forgets everything. */
  stop(): void {
    this.#underWay.clear();
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #wakeIn(delayMs: number): void {
    this.#timer = this.#clock.setTimer(delayMs, () => {
      this.#timer = undefined;
      const nowMs = this.#clock.monotonic();
      for (const [thing, untilMs] of this.#underWay) {
        if (untilMs > nowMs) {
          this.#wakeIn(untilMs - nowMs);
          return;
        }
        this.#underWay.delete(thing);
        this.#onOverdue(thing);
      }
    });
    this.#timer.hold(false);
  }
}
