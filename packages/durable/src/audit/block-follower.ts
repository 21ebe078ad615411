import type { Clock } from '@redrive/core';
import type { Store } from '../store/store.ts';
import type { AuditBlock } from './audit-block.ts';

const PAGE = 100;
/**
 * Numbers are given out before transactions commit. A transaction that takes longer than this is not waited for, by the
 * times of blocks while a long log is read, and by the clock while the log does not grow.
 */
const LATE_MS = 600_000;
/** Numbers that are waited for; of more, the newest. */
const MAX_MISSING = 100_000;
/** Pages that one call of `next` looks through for late blocks; the next call goes on from there. */
const LOOKS = 10;

/** The blocks that come after a number, each once: also those that turn up behind others with higher numbers. */
export class BlockFollower {
  readonly #store: Pick<Store, 'auditBlocks'>;
  readonly #clock: Clock;
  /** Numbers without a block, in their order. Most are of transactions that had nothing to write. */
  readonly #missing = new Map<number, Gap>();
  #newest: number;
  /** The latest time of a block. */
  #newestAtMs = 0;
  #lookedUpTo = 0;

  constructor(store: Pick<Store, 'auditBlocks'>, newest: number, clock: Clock) {
    this.#store = store;
    this.#newest = newest;
    this.#clock = clock;
  }

  /** The highest number that was read. */
  get newest(): number {
    return this.#newest;
  }

  /** The blocks that have come since the last call. */
  async *next(): AsyncGenerator<readonly AuditBlock[]> {
    yield* this.late(LOOKS);
    yield* this.#fresh();
  }

  /** Blocks behind others that were read already. Without a limit of pages it looks for every number that is missing. */
  async *late(pages = Infinity): AsyncGenerator<readonly AuditBlock[]> {
    this.#forget();
    if (pages === Infinity) this.#lookedUpTo = 0;
    const wanted = [...this.#missing.keys()];
    let at = 0;
    for (let look = 0; look < pages; look += 1) {
      while ((wanted[at] ?? Infinity) <= this.#lookedUpTo) at += 1;
      const first = wanted[at];
      if (first === undefined) {
        this.#lookedUpTo = 0;
        return;
      }
      const page = await this.#store.auditBlocks(first - 1, PAGE);
      this.#lookedUpTo = page[PAGE - 1]?.seq ?? this.#newest;
      yield page.filter(({ seq }) => this.#missing.delete(seq));
    }
  }

  async *#fresh(): AsyncGenerator<readonly AuditBlock[]> {
    for (;;) {
      const page = await this.#store.auditBlocks(this.#newest, PAGE);
      if (page.length === 0) return;
      const sinceMs = this.#clock.monotonic();
      for (const { seq, atMs } of page) {
        const gap = { atMs, sinceMs };
        const from = Math.max(this.#newest + 1, seq - MAX_MISSING);
        for (let missing = from; missing < seq; missing += 1) this.#missing.set(missing, gap);
        this.#newest = seq;
        this.#newestAtMs = Math.max(this.#newestAtMs, atMs);
      }
      this.#forget();
      yield page;
      // On a busy store a page is never empty.
      if (page.length < PAGE) return;
    }
  }

  #forget(): void {
    const nowMs = this.#clock.monotonic();
    for (const [seq, { atMs, sinceMs }] of this.#missing) {
      const isLate = nowMs - sinceMs >= LATE_MS || this.#newestAtMs - atMs >= LATE_MS;
      if (this.#missing.size <= MAX_MISSING && !isLate) return;
      this.#missing.delete(seq);
    }
  }
}

/** The time of the block behind a missing number, and when that block was read. */
interface Gap {
  readonly atMs: number;
  readonly sinceMs: number;
}
