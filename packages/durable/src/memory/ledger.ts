import { type OnceLedger, withOnce } from '@redrive/core';
import type { LedgerEntry } from '@redrive/core/stored';
import {
  checkLedgerLease,
  checkReservation,
  keptFailure,
  keptMetadata,
  ledgerMetadataText,
  ledgerValue,
  ledgerValueText,
  resolveLedgerOptions,
} from '../ledger/ledger-rules.ts';
import type { LedgerOptions } from '../ledger/ledger-store.ts';
import type { NoteOnce } from '../store/commands.ts';

/** A key as it is kept: the entry, with its value as JSON. */
interface Row {
  readonly entry: LedgerEntry;
  /** `in_progress`: end of the lease. */
  readonly leaseUntilMs: number;
  /** From then on it does not exist. */
  readonly untilMs: number;
}

/** The idempotency keys of a store in memory. */
export class LedgerTable {
  readonly #rows = new Map<string, Row>();
  // One counter for all keys: tokens of a key rise also over clear and retention, and nothing is kept for it.
  #lastToken = 0;

  /** `now` is the store's time; it throws where the store is closed. */
  ledger(now: () => number, options?: LedgerOptions): OnceLedger {
    const { retentionMs, maxValueBytes } = resolveLedgerOptions(options);

    const held = (key: string, token: number, nowMs: number): LedgerEntry | undefined => {
      const entry = this.#find(key, nowMs)?.entry;
      return entry?.state === 'in_progress' && entry.token === token ? entry : undefined;
    };
    const hold = (key: string, entry: LedgerEntry, leaseUntilMs: number): void => {
      this.#rows.set(key, { entry, leaseUntilMs, untilMs: leaseUntilMs + retentionMs });
    };
    const finish = (key: string, entry: LedgerEntry, nowMs: number): true => {
      this.#rows.set(key, { entry, leaseUntilMs: nowMs, untilMs: nowMs + retentionMs });
      return true;
    };

    return withOnce({
      reserve: async (key, request) => {
        const nowMs = now();
        checkReservation(key, request);
        const { fingerprint, leaseMs } = request;
        const row = this.#find(key, nowMs);
        if (row !== undefined) {
          const { entry, leaseUntilMs } = row;
          if (entry.fingerprint !== fingerprint) {
            return { state: 'conflict', recordedFingerprint: entry.fingerprint };
          }
          if (entry.state === 'done') return { state: 'done', value: keptValue(entry) };
          if (entry.state === 'in_progress' && leaseUntilMs > nowMs) {
            return { state: 'in_progress', leaseLeftMs: leaseUntilMs - nowMs };
          }
        }
        const token = ++this.#lastToken;
        hold(key, { state: 'in_progress', token, fingerprint }, nowMs + leaseMs);
        return { state: 'reserved', token };
      },

      renew: async (key, token, leaseMs) => {
        const nowMs = now();
        checkLedgerLease(leaseMs);
        const entry = held(key, token, nowMs);
        if (entry === undefined) return false;
        hold(key, entry, nowMs + leaseMs);
        return true;
      },

      complete: async (key, token, value, metadata) => {
        const nowMs = now();
        const text = ledgerValueText(key, value, maxValueBytes);
        const entry = held(key, token, nowMs);
        if (entry === undefined) return false;
        const kept = keptMetadata(ledgerMetadataText(key, metadata, maxValueBytes));
        return finish(key, { ...entry, state: 'done', value: text, ...kept }, nowMs);
      },

      fail: async (key, token, error) => {
        const nowMs = now();
        const entry = held(key, token, nowMs);
        if (entry === undefined) return false;
        return finish(key, { ...entry, state: 'failed', error: keptFailure(error) }, nowMs);
      },

      look: async (key) => {
        const entry = this.#find(key, now())?.entry;
        return entry?.state === 'done' ? { ...entry, value: keptValue(entry) } : entry;
      },

      clear: async (key) => {
        now();
        this.#rows.delete(key);
      },
    });
  }

  /** Whether this is the first note with its key. */
  isFirst({ key, forMs }: NoteOnce, nowMs: number): boolean {
    if (this.#find(key, nowMs) !== undefined) return false;
    const token = ++this.#lastToken;
    const entry: LedgerEntry = { state: 'done', token, fingerprint: '', value: undefined };
    this.#rows.set(key, { entry, leaseUntilMs: nowMs, untilMs: nowMs + forMs });
    return true;
  }

  /** Deletes keys whose time is over. */
  prune(nowMs: number): void {
    for (const [key, { untilMs }] of this.#rows) if (untilMs <= nowMs) this.#rows.delete(key);
  }

  #find(key: string, nowMs: number): Row | undefined {
    const row = this.#rows.get(key);
    return row !== undefined && row.untilMs > nowMs ? row : undefined;
  }
}

/** The value of a finished key, which is kept as its text. */
function keptValue({ value }: Extract<LedgerEntry, { state: 'done' }>): unknown {
  return ledgerValue(value as string | undefined);
}
