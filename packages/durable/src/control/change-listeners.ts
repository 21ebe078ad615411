import type { Clock } from '@redrive/core';

/** A listener that throws at one change throws at the next one too: it is reported at most this often. */
const REPORT_EVERY_MS = 60_000;

/** Listeners of changes. A listener that throws does not keep the others from being called. */
export class ChangeListeners {
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  readonly #listeners = new Set<() => void>();
  #reportedAtMs = -Infinity;

  constructor(clock: Clock, onError: (error: unknown) => void) {
    this.#clock = clock;
    this.#onError = onError;
  }

  /** Returns a function that removes the listener. */
  add(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  call(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  #failed(error: unknown): void {
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#reportedAtMs < REPORT_EVERY_MS) return;
    this.#reportedAtMs = nowMs;
    this.#onError(error);
  }
}
