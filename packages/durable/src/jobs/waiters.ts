import { type Clock, nominalDelayMs, RedriveError, type Timer } from '@redrive/core';
import type { Job } from '../job/job.ts';
import type { Store } from '../store/store.ts';

/** The longest list that `store.finished` takes. */
const MAX_IDS = 1_000;

/** Waits between two looks while nothing is found: 25 ms, doubled up to a second. */
const POLL = {
  backoff: 'exponential',
  baseDelayMs: 25,
  maxDelayMs: 1_000,
  multiplier: 2,
  immediateFirstRetry: false,
} as const;

/** A hint may shorten a wait to this part of it: on a busy store there is one with every commit. */
const HINTED = 1 / 5;

/** While the store is asked, and perhaps does not answer, this often somebody looks whose time is up. */
const OVERDUE_MS = 250;

interface Waiter {
  readonly resolve: (job: Job) => void;
  readonly reject: (reason: unknown) => void;
  /** On the monotonic clock. */
  readonly untilMs: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onAbort: () => void;
}

/** Everybody in this process who waits for a job to finish: one question to the store for all of them. */
export class Waiters {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Set<Waiter>>();
  #stopWatching: (() => void) | undefined;
  #timer: Timer | undefined;
  #wakeAtMs = Infinity;
  #asking = false;
  /** For waiters that time out while the store is asked. */
  #overdueTimer: Timer | undefined;
  #askedAtMs = -Infinity;
  /** Looks in a row that found nothing. */
  #misses = 0;
  #hinted = false;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** How many wait. */
  get size(): number {
    let size = 0;
    for (const waiters of this.#waiting.values()) size += waiters.size;
    return size;
  }

  /** The job, once it is finished. */
  wait(id: string, timeoutMs: number, signal?: AbortSignal): Promise<Job> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const waiter: Waiter = {
        resolve,
        reject,
        untilMs: this.#clock.monotonic() + timeoutMs,
        timeoutMs,
        signal,
        onAbort: () => this.#end(id, waiter, () => reject(signal?.reason)),
      };
      signal?.addEventListener('abort', waiter.onAbort, { once: true });
      const others = this.#waiting.get(id);
      if (others === undefined) this.#waiting.set(id, new Set([waiter]));
      else others.add(waiter);
      this.#stopWatching ??= this.#store.watch((change) => {
        if (change === 'finished') this.#hint();
      });
      this.#misses = 0;
      if (this.#asking) this.#watchOverdue();
      this.#wakeAt(waiter.untilMs);
      this.#hint();
    });
  }

  /** A job may have finished. Not asked at once, so that calls of `wait` in the same turn share one look. */
  #hint(): void {
    this.#hinted = true;
    this.#wakeAt(this.#nextLookMs());
  }

  #nextLookMs(): number {
    const pollMs = nominalDelayMs(POLL, Math.max(1, this.#misses));
    return this.#askedAtMs + pollMs * (this.#hinted ? HINTED : 1);
  }

  /** One timer, at the earliest of all times: for the next look, or for the waiter that times out before. */
  #wakeAt(timeMs: number): void {
    if (this.#asking || timeMs >= this.#wakeAtMs) return;
    this.#timer?.cancel();
    this.#wakeAtMs = timeMs;
    const delayMs = Math.max(0, timeMs - this.#clock.monotonic());
    this.#timer = this.#clock.setTimer(delayMs, () => void this.#wake());
  }

  async #wake(): Promise<void> {
    this.#timer = undefined;
    this.#wakeAtMs = Infinity;
    this.#asking = true;
    this.#hinted = false;
    this.#watchOverdue();
    this.#misses = (await this.#look()) ? 0 : this.#misses + 1;
    this.#askedAtMs = this.#clock.monotonic();
    this.#asking = false;
    this.#overdueTimer?.cancel();
    this.#overdueTimer = undefined;
    const earliestMs = this.#expire();
    if (this.#waiting.size > 0) this.#wakeAt(Math.min(this.#nextLookMs(), earliestMs));
  }

  #watchOverdue(): void {
    this.#overdueTimer ??= this.#clock.setTimer(OVERDUE_MS, () => {
      this.#overdueTimer = undefined;
      this.#watchOverdue();
      this.#expire();
    });
  }

  /** Resolves the waiters of finished jobs. Returns whether there was one. */
  async #look(): Promise<boolean> {
    const ids = [...this.#waiting.keys()];
    let found = false;
    for (let from = 0; from < ids.length; from += MAX_IDS) {
      for (const job of await this.#finished(ids.slice(from, from + MAX_IDS))) {
        for (const waiter of this.#waiting.get(job.id) ?? []) {
          found = true;
          this.#end(job.id, waiter, () => waiter.resolve(job));
        }
      }
    }
    return found;
  }

  async #finished(ids: readonly string[]): Promise<readonly Job[]> {
    try {
      return await this.#store.finished(ids);
    } catch {
      // The store may be back at the next look; until then every waiter has its own time limit.
      return [];
    }
  }

  /** Ends the waits whose time is up. Answers when the next one is. */
  #expire(): number {
    const nowMs = this.#clock.monotonic();
    let earliestMs = Infinity;
    for (const [id, waiters] of this.#waiting) {
      for (const waiter of waiters) {
        if (waiter.untilMs > nowMs) {
          earliestMs = Math.min(earliestMs, waiter.untilMs);
          continue;
        }
        const message = `Job ${id} has not finished within ${waiter.timeoutMs} ms`;
        const error = new RedriveError('wait_timeout', message, { id });
        this.#end(id, waiter, () => waiter.reject(error));
      }
    }
    return earliestMs;
  }

  #end(id: string, waiter: Waiter, settle: () => void): void {
    waiter.signal?.removeEventListener('abort', waiter.onAbort);
    const waiters = this.#waiting.get(id);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#rest();
    settle();
  }

  /** Nobody waits: nothing is left behind. */
  #rest(): void {
    this.#overdueTimer?.cancel();
    this.#overdueTimer = undefined;
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#wakeAtMs = Infinity;
    this.#stopWatching?.();
    this.#stopWatching = undefined;
  }
}
