import type { Clock } from '../clock/clock.ts';
import { systemClock } from '../clock/system-clock.ts';
import { RedriveError } from '../errors/redrive-error.ts';
import { type OptionTable, resolveOptions } from '../fields/check-fields.ts';
import { aClock, aLedger, aSink } from '../fields/rules.ts';
import { computeIdempotencyKey } from '../idempotency/idempotency-key.ts';
import type { EventSink, IdempotencyUsed, SessionFacts } from '../records/record.ts';
import { sanitiseContext } from '../records/sanitise-context.ts';
import type { Ledger, LedgerMetadata } from './ledger.ts';

export interface IdempotencyManagerOptions {
  readonly ledger: Ledger;
  /** Gets an `idempotency` record for each hit and each stored result of a call that names its session. */
  readonly events?: EventSink;
  /** For the time in these records. Default: the system's. */
  readonly clock?: Clock;
}

const OPTIONS: OptionTable<IdempotencyManagerOptions> = {
  ledger: [null, aLedger],
  events: [undefined, aSink],
  clock: [systemClock, aClock],
};

/** The answer of `checkIdempotency`. A stored `null` or `undefined` is a hit like any other. */
export type IdempotencyCheck =
  | { readonly hit: true; readonly value: unknown; readonly metadata?: LedgerMetadata }
  | { readonly hit: false };

/** The lease bridges two calls to the ledger that follow each other at once. */
const LEASE_MS = 60_000;

/**
 * Check and record as two steps, for code that was written that way. Between them another caller can run the same
 * operation: `ledger.once` closes that gap and is the better choice wherever the operation can be passed as a function.
 */
export class IdempotencyManager {
  readonly computeIdempotencyKey = computeIdempotencyKey;
  readonly #ledger: Ledger;
  readonly #events: EventSink | undefined;
  readonly #clock: Clock;

  /** @throws RedriveError `invalid_option` with every problem at once. */
  constructor(options: IdempotencyManagerOptions) {
    // Plain JavaScript may pass nothing: then the message says that the ledger is missing.
    const given = options ?? {};
    const { ledger, events, clock } = resolveOptions('idempotency manager', given, OPTIONS);
    this.#ledger = ledger;
    this.#events = events;
    this.#clock = clock;
  }

  /** The result recorded under the key, if there is one. Reserves nothing. */
  async checkIdempotency(key: string, session?: SessionFacts): Promise<IdempotencyCheck> {
    const entry = await this.#ledger.look(key);
    if (entry?.state !== 'done') return { hit: false };
    this.#emit('hit', key, session);
    const { value, metadata } = entry;
    return { hit: true, value, ...(metadata && { metadata }) };
  }

  /**
   * Records a result. The first result stays: `false` means that one was recorded already. Throws
   * `idempotency_in_progress` when another caller has reserved the key, and `idempotency_conflict` when it was reserved
   * with a fingerprint.
   *
   * @param metadata goes into the ledger's entry and, with a session, into the record's context: as a bounded copy without
   *   secrets.
   */
  async recordResult(
    key: string,
    result: unknown,
    metadata?: Readonly<Record<string, unknown>>,
    session?: SessionFacts,
  ): Promise<boolean> {
    const kept: LedgerMetadata | undefined = metadata && Object(sanitiseContext(metadata));
    const reservation = await this.#ledger.reserve(key, { fingerprint: '', leaseMs: LEASE_MS });
    if (reservation.state === 'done') return false;
    const recorded =
      reservation.state === 'reserved' &&
      (await this.#ledger.complete(key, reservation.token, result, kept));
    if (!recorded) {
      const conflict = reservation.state === 'conflict';
      throw new RedriveError(
        conflict ? 'idempotency_conflict' : 'idempotency_in_progress',
        `Idempotency key ${key} ${conflict ? 'has a fingerprint' : 'is held by another caller'}; nothing was recorded`,
        { key },
      );
    }
    this.#emit('record', key, session, metadata);
    return true;
  }

  /** Deletes the key, in any state, so that the operation can run again. */
  async clearIdempotency(key: string): Promise<void> {
    await this.#ledger.clear(key);
  }

  #emit(
    action: IdempotencyUsed['action'],
    key: string,
    session: SessionFacts | undefined,
    metadata?: Readonly<Record<string, unknown>>,
  ): void {
    if (this.#events === undefined || session === undefined) return;
    try {
      const added = metadata && this.#events.describeContext(metadata);
      const context = added ? { ...session.context, ...added } : session.context;
      this.#events.emit({
        kind: 'idempotency',
        atMs: this.#clock.now(),
        session: { ...session, context },
        key,
        action,
      });
    } catch {
      // A listener never fails the call.
    }
  }
}
