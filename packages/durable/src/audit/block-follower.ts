import type { Clock } from '@redrive/core';
import type { Store } from '../store/store.ts';
import type { AuditBlock } from './audit-block.ts';

const PAGE = 100;
/** Numbers are given out before transactions commit. A transaction that takes longer than this is not waited for. */
const LATE_MS = 600_000;
/** Numbers that are waited for; of more, the newest. */
const MAX_MISSING = 100_000;
/** Pages that one call looks through for late blocks; the next call goes on from there. */
const LOOKS = 10;

/** The blocks that come after a number, each once: also those that turn up behind others with higher numbers. */
export class BlockFollower {
  readonly #store: Pick<Store, 'auditBlocks'>;
  readonly #clock: Clock;
  /** Numbers without a block, in their order, and since when. Most are of transactions that had nothing to write. */
  readonly #missing = new Map<number, number>();
  #newest: number;
  #lookedUpTo = 0;

  constructor(store: Pick<Store, 'auditBlocks'>, newest: number, clock: Clock) {
    this.#store = store;
    this.#newest = newest;
    this.#clock = clock;
  }

  /** What has come since it was asked last. */
  async *next(): AsyncGenerator<readonly AuditBlock[]> {
    this.#forget();
    yield* this.#late();
    yield* this.#fresh();
  }

  async *#late(): AsyncGenerator<readonly AuditBlock[]> {
    const wanted = [...this.#missing.keys()];
    for (let look = 0; look < LOOKS; look += 1) {
      const first = wanted.find((seq) => seq > this.#lookedUpTo);
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
      const nowMs = this.#clock.monotonic();
      for (const { seq } of page) {
        const from = Math.max(this.#newest + 1, seq - MAX_MISSING);
        for (let missing = from; missing < seq; missing += 1) this.#missing.set(missing, nowMs);
        this.#newest = seq;
      }
      yield page;
      // On a busy store a page is never empty.
      if (page.length < PAGE) return;
    }
  }

  #forget(): void {
    const nowMs = this.#clock.monotonic();
    for (const [seq, sinceMs] of this.#missing) {
      if (this.#missing.size <= MAX_MISSING && nowMs - sinceMs < LATE_MS) return;
      this.#missing.delete(seq);
    }
  }
}
