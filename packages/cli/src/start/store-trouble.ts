import type { Clock } from '@redrive/core';
import type { Notice } from '@redrive/durable';

/** A call to the store may take so long until it fails again. */
const CALL_MS = 15_000;

/**
 * What the worker has come up against. A store may answer every question and write nothing: its disk is full, or does not
 * sync. Only who writes learns of it.
 */
export class StoreTrouble {
  readonly #clock: Clock;
  #text: string | undefined;
  #untilMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Learns from what the worker has noticed. */
  hear(notice: Notice): void {
    if (notice.kind === 'store_back') this.#text = undefined;
    if (notice.kind !== 'store_unavailable') return;
    const { error, retryInMs } = notice;
    this.#text = error instanceof Error ? error.message : String(error);
    // Who still fails says so again. A heartbeat that succeeds says nothing.
    this.#untilMs = this.#clock.monotonic() + retryInMs + CALL_MS;
  }

  /** `undefined`: none. */
  get text(): string | undefined {
    return this.#clock.monotonic() < this.#untilMs ? this.#text : undefined;
  }
}
