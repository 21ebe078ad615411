import type { Change } from '@redrive/durable/store';

/** Listeners for possible changes. */
export class Listeners {
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #onFirst: () => void;
  readonly #onNone: () => void;

  /** `onFirst` is called at the first listener, `onNone` after the last one has left. */
  constructor(onFirst: () => void, onNone: () => void) {
    this.#onFirst = onFirst;
    this.#onNone = onNone;
  }

  add(listener: (change: Change) => void): () => void {
    // One of its own, so that the same function may listen twice.
    const own = (change: Change): void => listener(change);
    this.#listeners.add(own);
    if (this.#listeners.size === 1) this.#onFirst();
    return () => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0) this.#onNone();
    };
  }

  /** Whether anybody listens. */
  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  notify(change: Change): void {
    // Each in a turn of its own: an error of a listener reaches nobody else, and is not lost.
    for (const listener of this.#listeners) {
      queueMicrotask(() => {
        if (this.#listeners.has(listener)) listener(change);
      });
    }
  }

  clear(): void {
    this.#listeners.clear();
  }
}
