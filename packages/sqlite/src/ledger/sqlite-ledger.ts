import { type LedgerEntry, type OnceLedger, type Reservation, withOnce } from '@redrive/core';
import {
  checkLedgerLease,
  checkReservation,
  keptFailure,
  keptMetadata,
  type LedgerOptions,
  ledgerMetadataText,
  ledgerValue,
  ledgerValueText,
  resolveLedgerOptions,
} from '@redrive/durable/store';
import {
  DONE,
  type EncodedLedger,
  FAILED,
  IN_PROGRESS,
  type LedgerOutcome,
} from './encoded-ledger.ts';
import type { LedgerRow } from './ledger-table.ts';

export interface LedgerParts {
  /** Commits it, together with whatever else arrives. */
  readonly commit: (call: EncodedLedger) => Promise<LedgerOutcome>;
  readonly find: (key: string) => Promise<LedgerRow | undefined>;
}

/** The ledger as this thread sees it. */
export function sqliteLedger({ commit, find }: LedgerParts, options?: LedgerOptions): OnceLedger {
  const { retentionMs, maxValueBytes } = resolveLedgerOptions(options);

  async function write(call: EncodedLedger): Promise<boolean> {
    const outcome = await commit(call);
    return 'written' in outcome && outcome.written;
  }

  return withOnce({
    async reserve(key, request) {
      checkReservation(key, request);
      const { fingerprint, leaseMs } = request;
      return reservationOf(
        await commit(['reserve', key, fingerprint, Math.ceil(leaseMs), retentionMs]),
      );
    },

    async renew(key, token, leaseMs) {
      checkLedgerLease(leaseMs);
      return write(['renew', key, token, Math.ceil(leaseMs), retentionMs]);
    },

    async complete(key, token, value, metadata) {
      const text = ledgerValueText(key, value, maxValueBytes) ?? null;
      const beside = ledgerMetadataText(key, metadata, maxValueBytes) ?? null;
      return write(['end', key, token, DONE, text, retentionMs, beside]);
    },

    fail: async (key, token, error) =>
      write(['end', key, token, FAILED, JSON.stringify(keptFailure(error)), retentionMs, null]),

    async look(key) {
      const row = await find(key);
      return row && entryOf(row);
    },

    async clear(key) {
      await commit(['clear', key]);
    },
  });
}

/** What a caller gets to know of a reservation. */
export function reservationOf(outcome: LedgerOutcome): Reservation {
  if ('reserved' in outcome) return { state: 'reserved', token: outcome.reserved };
  if ('done' in outcome) return { state: 'done', value: ledgerValue(outcome.done) };
  if ('leaseLeftMs' in outcome) return { state: 'in_progress', leaseLeftMs: outcome.leaseLeftMs };
  if ('recordedFingerprint' in outcome) return { state: 'conflict', ...outcome };
  throw new Error('A reservation was answered as a write.');
}

function entryOf([token, state, fingerprint, , value, metadata]: LedgerRow): LedgerEntry {
  if (state === IN_PROGRESS) return { state: 'in_progress', token, fingerprint };
  const kept = ledgerValue(value);
  if (state === DONE) {
    return { state: 'done', token, fingerprint, value: kept, ...keptMetadata(metadata) };
  }
  // Written by `fail`.
  const error = kept as Extract<LedgerEntry, { state: 'failed' }>['error'];
  return { state: 'failed', token, fingerprint, error };
}
