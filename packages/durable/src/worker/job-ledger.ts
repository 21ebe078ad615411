import type { Clock, OnceLedger } from '@redrive/core';
import type { JobContext } from '../handler/job-context.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';

/** The store's ledger as handlers see it. Asked for when the first of them wants it. */
export class JobLedger {
  readonly #store: LedgerStore;
  readonly #clock: Clock;
  #ledger: OnceLedger | undefined;

  constructor(store: LedgerStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** `once` of an attempt with this signal. */
  onceFor(signal: () => AbortSignal): JobContext['once'] {
    return async (key, run, { fingerprint, leaseMs, onInProgress, waitMs } = {}) => {
      this.#ledger ??= this.#store.ledger();
      const how = { fingerprint, leaseMs, onInProgress, waitMs };
      return this.#ledger.once({ key, ...how, clock: this.#clock, signal: signal() }, run);
    };
  }
}
