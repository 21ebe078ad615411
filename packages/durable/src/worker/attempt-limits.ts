import type { Clock, Timer } from '@redrive/core';
import type { HeldJob } from './held-job.ts';

/**
 * One timer for the limits of all attempts: it wakes at the earliest and looks at all. Most attempts end long before
 * their limit, and a timer for each would cost more than the rest of a short one.
 */
export class AttemptLimits {
  readonly #clock: Clock;
  readonly #held: ReadonlySet<HeldJob>;
  #onLimit: (held: HeldJob, nowMs: number) => void = () => {};
  #timer: Timer | undefined;
  #wakeAtMs = Infinity;

  constructor(clock: Clock, held: ReadonlySet<HeldJob>) {
    this.#clock = clock;
    this.#held = held;
  }

  onLimit(listener: (held: HeldJob, nowMs: number) => void): void {
    this.#onLimit = listener;
  }

  watch(limitMs: number): void {
    if (limitMs >= this.#wakeAtMs) return;
    this.#timer?.cancel();
    this.#wakeAtMs = limitMs;
    const delayMs = Math.max(0, limitMs - this.#clock.monotonic());
    this.#timer = this.#clock.setTimer(delayMs, () => this.#wake());
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#wakeAtMs = Infinity;
  }

  #wake(): void {
    this.close();
    const nowMs = this.#clock.monotonic();
    for (const held of this.#held) {
      if (held.phase === 'running' && held.limitMs <= nowMs) this.#onLimit(held, nowMs);
    }
    for (const { phase, limitMs } of this.#held) if (phase === 'running') this.watch(limitMs);
  }
}
