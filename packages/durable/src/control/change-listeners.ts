import type { Clock } from '@redrive/core';

/** What throws at one change throws at the next one too: it is told so often at most. */
const TELL_EVERY_MS = 60_000;

/** Who wants to hear of changes. One that throws keeps nobody else from hearing. */
export class ChangeListeners {
  readonly #clock: Clock;
  readonly #tell: (error: unknown) => void;
  readonly #listeners = new Set<() => void>();
  #toldAtMs = -Infinity;

  constructor(clock: Clock, tell: (error: unknown) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  /** Answers how to stop. */
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
    if (nowMs - this.#toldAtMs < TELL_EVERY_MS) return;
    this.#toldAtMs = nowMs;
    this.#tell(error);
  }
}
