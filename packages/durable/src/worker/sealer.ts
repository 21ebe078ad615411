import { type Clock, nominalDelayMs } from '@redrive/core';
import { MAX_SEGMENT_BLOCKS } from '../audit/anchor.ts';
import type { AuditStore, Sealed } from '../audit/audit-store.ts';
import type { Notice } from './notice.ts';
import type { StoreContact } from './store-contact.ts';

/** Between two seals: a second, and longer while they fail. */
const PACE = {
  backoff: 'exponential',
  baseDelayMs: 1_000,
  maxDelayMs: 60_000,
  multiplier: 2,
  immediateFirstRetry: false,
} as const;

/** The longest time that a stopping worker waits for the last seal. */
const LAST_SEAL_MS = 2_000;

interface SealerParts {
  readonly store: AuditStore;
  readonly clock: Clock;
  readonly contact: StoreContact;
  readonly notify: (notice: Notice) => void;
}

/** Seals the audit log, about once a second while there is something to seal. It never holds up the work. */
export class Sealer {
  readonly #parts: SealerParts;
  #nextAtMs = -Infinity;
  #failures = 0;
  #underWay: Promise<void> | undefined;

  constructor(parts: SealerParts) {
    this.#parts = parts;
  }

  /** There is something to seal: does it soon, unless it was done just now. */
  wanted(): void {
    if (this.#underWay === undefined && this.#parts.clock.monotonic() >= this.#nextAtMs) {
      void this.#seal();
    }
  }

  /** Seals what the work has left, so that nothing waits for the next worker. */
  async last(): Promise<void> {
    const { clock, contact } = this.#parts;
    if (!contact.isOpen) return;
    const sealed = (this.#underWay ?? Promise.resolve()).then(() => this.#seal());
    await new Promise<void>((resolve) => {
      const timer = clock.setTimer(LAST_SEAL_MS, resolve);
      void sealed.then(() => {
        timer.cancel();
        resolve();
      });
    });
  }

  #seal(): Promise<void> {
    this.#underWay = this.#sealAll().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  async #sealAll(): Promise<void> {
    const { store, clock, notify } = this.#parts;
    try {
      // A full anchor may not have been all there is. What came meanwhile can wait for the next one.
      let sealed: Sealed | undefined;
      do {
        sealed = await store.seal();
        // Letters of all processes: commands of operators are gone when somebody asks for their numbers.
        if (sealed?.removed) notify({ kind: 'letters_removed', removed: sealed.removed });
      } while (sealed?.blocks === MAX_SEGMENT_BLOCKS);
      this.#failures = 0;
    } catch (error) {
      if (this.#failures === 0) notify({ kind: 'seal_failed', error });
      this.#failures += 1;
    }
    this.#nextAtMs = clock.monotonic() + nominalDelayMs(PACE, this.#failures + 1);
  }
}
