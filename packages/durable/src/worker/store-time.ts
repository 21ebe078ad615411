import type { Clock } from '@redrive/core';

/** What the store's clock shows, by its last answer and the monotonic time since: wall clocks of two machines differ. */
export class StoreTime {
  readonly #clock: Clock;
  #nowMs: number;
  #heardAtMs: number;
  #roundTripMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    // Until the store has said something, this machine's guess.
    this.#nowMs = clock.now();
    this.#heardAtMs = clock.monotonic();
  }

  /** The store said its time in the answer to what was asked at `askedAtMs`, on the monotonic clock. */
  hear(nowMs: number, askedAtMs: number): void {
    this.#nowMs = nowMs;
    this.#heardAtMs = this.#clock.monotonic();
    this.#roundTripMs = this.#heardAtMs - askedAtMs;
  }

  /** Never later than the store's own: for records. */
  nowMs(): number {
    return Math.floor(this.#nowMs + this.#clock.monotonic() - this.#heardAtMs);
  }

  /** Never earlier than the store's own: for deadlines. */
  latestMs(): number {
    return Math.ceil(this.#nowMs + this.#clock.monotonic() - this.#heardAtMs + this.#roundTripMs);
  }
}
