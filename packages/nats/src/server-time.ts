import type { KV } from '@nats-io/kv';
import { systemClock } from '@redrive/core';

/** The time of the server is read again after this: clocks drift, and another server may have become the leader. */
const FRESH_MS = 10_000;

/**
 * The clock of the server that stamps the entries of a bucket. An entry is written and read back, and its timestamp is
 * taken for the moment at which it was read: so this clock is late, never early, and no lease expires too soon.
 */
export class ServerTime {
  readonly #kv: KV;
  #read: { readonly serverMs: number; readonly atMs: number } | undefined;

  constructor(kv: KV) {
    this.#kv = kv;
  }

  async now(): Promise<number> {
    const passedMs = () => systemClock.monotonic() - (this.#read?.atMs ?? -Infinity);
    if (passedMs() > FRESH_MS) {
      await this.#kv.put('clock', '');
      const entry = await this.#kv.get('clock');
      this.#read = { serverMs: entry?.created.getTime() ?? 0, atMs: systemClock.monotonic() };
    }
    return (this.#read?.serverMs ?? 0) + passedMs();
  }
}
