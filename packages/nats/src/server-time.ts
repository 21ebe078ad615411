import { systemClock } from '@redrive/core';

/** The time of the server is read again after this: clocks drift, and another server may have become the leader. */
const FRESH_MS = 10_000;

/**
 * The clock of the server that stamps the entries of a bucket. The timestamp of an entry is taken for the moment at which
 * it was read: so this clock is late, never early, and no lease expires too soon.
 */
export class ServerTime {
  readonly #stamp: () => Promise<number>;
  #read: { readonly serverMs: number; readonly atMs: number } | undefined;

  /** @param stamp writes an entry, reads it back, and answers its timestamp. */
  constructor(stamp: () => Promise<number>) {
    this.#stamp = stamp;
  }

  async now(): Promise<number> {
    const passedMs = () => systemClock.monotonic() - (this.#read?.atMs ?? -Infinity);
    if (passedMs() > FRESH_MS) {
      this.#read = { serverMs: await this.#stamp(), atMs: systemClock.monotonic() };
    }
    return (this.#read?.serverMs ?? 0) + passedMs();
  }
}
