import { type Clock, systemClock, type Timer } from '@redrive/core';

/** Calls that begin within this time share a timer; the later ones end earlier by at most this time. */
const SHARED_MS = 20;

interface Group {
  readonly beganAtMs: number;
  readonly waiting: Set<() => void>;
  readonly timer: Timer;
}

/** Ends every call within the limit. All calls have the same limit, so that tens of thousands a second share timers. */
export class CallLimits {
  readonly #limitMs: number;
  readonly #clock: Clock = systemClock;
  #group: Group | undefined;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** The end of a call that begins now, by the system's monotonic clock. */
  get endsAtMs(): number {
    return this.#clock.monotonic() + this.#limitMs;
  }

  /** Settles as the promise does; after the limit rejects with the error of `tooLate`. */
  watch<T>(promise: Promise<T>, tooLate: () => Error): Promise<T> {
    const group = this.#current();
    return new Promise((resolve, reject) => {
      const expire = (): void => reject(tooLate());
      group.waiting.add(expire);
      const done = (): void => {
        group.waiting.delete(expire);
        // The last call of a group that gets no new calls.
        if (group.waiting.size === 0 && group !== this.#group) group.timer.cancel();
        else if (group.waiting.size === 0) group.timer.hold(false);
      };
      promise.then(
        (value) => {
          done();
          resolve(value);
        },
        (error: unknown) => {
          done();
          reject(error);
        },
      );
    });
  }

  close(): void {
    this.#group?.timer.cancel();
    this.#group = undefined;
  }

  #current(): Group {
    const nowMs = this.#clock.monotonic();
    const old = this.#group;
    if (old !== undefined && nowMs - old.beganAtMs < SHARED_MS) {
      old.timer.hold(true);
      return old;
    }
    if (old?.waiting.size === 0) old.timer.cancel();
    const waiting = new Set<() => void>();
    const timer = this.#clock.setTimer(this.#limitMs, () => {
      for (const expire of waiting) expire();
    });
    this.#group = { beganAtMs: nowMs, waiting, timer };
    return this.#group;
  }
}
