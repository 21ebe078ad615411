import type { Clock, OnceLedger } from '@redrive/core';
import type { JobContext } from '../handler/job-context.ts';

/** A store that also keeps idempotency keys. */
export interface LedgerStore {
  /**
   * The durable ledger of this store: core's port, with `once`. Leases run on the store's clock, results are JSON
   * (`undefined` is read as `undefined`) of at most `maxValueBytes`, tokens of a key only rise, also over `clear` and
   * retention. Calls of several callers that arrive together commit together. Keys and fingerprints have at most 512
   * characters; messages of failures are masked and cut as those of attempts are.
   */
  ledger(options?: LedgerOptions): OnceLedger;
}

export interface LedgerOptions {
  /**
   * How long a finished key is kept, and one whose holder is lost, from the end of its lease. After that it can
   * run again. Default 30 days; `Infinity`: for ever.
   */
  readonly retentionMs?: number;
  /** Largest result that is kept; a larger one makes `complete` reject with `payload_too_large`. Default 1 MiB. */
  readonly maxValueBytes?: number;
}

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
