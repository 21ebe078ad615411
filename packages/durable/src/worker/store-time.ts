import type { Clock } from '@redrive/core';

/** The store's clock, from its last answer and the monotonic time since: wall clocks of two machines differ. */
export class StoreTime {
  readonly #clock: Clock;
  #nowMs: number;
  #observedAtMs: number;
  #roundTripMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    // This machine's clock, until the first answer of the store.
    this.#nowMs = clock.now();
    this.#observedAtMs = clock.monotonic();
  }

  /** Takes the store's time from an answer; its question was sent at `askedAtMs`, on the monotonic clock. */
  observe(nowMs: number, askedAtMs: number): void {
    this.#nowMs = nowMs;
    this.#observedAtMs = this.#clock.monotonic();
    this.#roundTripMs = this.#observedAtMs - askedAtMs;
  }

  /** Never later than the store's own: for records. */
  nowMs(): number {
    return Math.floor(this.#nowMs + this.#clock.monotonic() - this.#observedAtMs);
  }

  /** Never earlier than the store's own: for deadlines. */
  latestMs(): number {
    return Math.ceil(
      this.#nowMs + this.#clock.monotonic() - this.#observedAtMs + this.#roundTripMs,
    );
  }
}
