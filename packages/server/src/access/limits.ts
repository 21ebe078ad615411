import type { Clock } from '@redrive/core';

/** Addresses and names that are remembered; beyond them the oldest are forgotten. */
const MAX_KEYS = 10_000;

/** Counts events by key and allows `limit` of them in each span of time. */
export class Limit {
  readonly #clock: Clock;
  readonly #spanMs: number;
  readonly #seen = new Map<string, { sinceMs: number; count: number }>();

  constructor(clock: Clock, spanMs: number) {
    this.#clock = clock;
    this.#spanMs = spanMs;
  }

  /** Counts one more. `false`: it is above the limit. */
  take(key: string, limit: number): boolean {
    const entry = this.#entry(key);
    entry.count += 1;
    return entry.count <= limit;
  }

  #entry(key: string): { sinceMs: number; count: number } {
    const nowMs = this.#clock.monotonic();
    const found = this.#seen.get(key);
    if (found !== undefined && nowMs - found.sinceMs < this.#spanMs) return found;
    this.#seen.delete(key);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size >= MAX_KEYS && oldest !== undefined) this.#seen.delete(oldest);
    const entry = { sinceMs: nowMs, count: 0 };
    this.#seen.set(key, entry);
    return entry;
  }
}
