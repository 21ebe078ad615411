import { type OnceLedger, type Reservation, type ReserveRequest, withOnce } from '@redrive/core';
import type { LedgerEntry, LedgerFailure } from '@redrive/core/stored';
import {
  checkLedgerLease,
  checkReservation,
  keptFailure,
  keptMetadata,
  ledgerMetadataText,
  ledgerValue,
  ledgerValueText,
  resolveLedgerOptions,
} from './ledger-rules.ts';
import type { LedgerOptions } from './ledger-store.ts';

/** A key as a store keeps it: texts are JSON. */
export interface StoredKey {
  readonly state: 'in_progress' | 'done' | 'failed';
  readonly token: number;
  readonly fingerprint: string;
  /** The result of a key that is done, or the failure. */
  readonly value: string | null;
  /** The text that is kept beside a result. */
  readonly metadata: string | null;
}

/** The answer to a reservation, with the result of a key that is done as a text. */
export type StoredReservation =
  | Exclude<Reservation, { readonly state: 'done' }>
  | { readonly state: 'done'; readonly value: string | null };

/** The calls that a store offers to its ledger. Each call is one transaction, or shares one with others. */
export interface LedgerCalls {
  readonly reserve: (
    key: string,
    request: ReserveRequest,
    retentionMs: number,
  ) => Promise<StoredReservation>;
  /** Answers whether the token still holds the key, like `end`. */
  readonly renew: (
    key: string,
    token: number,
    leaseMs: number,
    retentionMs: number,
  ) => Promise<boolean>;
  readonly end: (key: string, end: LedgerEnd, retentionMs: number) => Promise<boolean>;
  readonly look: (key: string) => Promise<StoredKey | undefined>;
  readonly clear: (key: string) => Promise<unknown>;
}

/** How a reserved key ends. */
export interface LedgerEnd extends Omit<StoredKey, 'fingerprint' | 'state'> {
  readonly state: 'done' | 'failed';
}

/** Core's ledger, in the tables of a store. */
export function storeLedger(calls: LedgerCalls, options?: LedgerOptions): OnceLedger {
  const { retentionMs, maxValueBytes } = resolveLedgerOptions(options);
  return withOnce({
    async reserve(key, request) {
      checkReservation(key, request);
      const answer = await calls.reserve(key, request, retentionMs);
      return answer.state === 'done' ? { ...answer, value: ledgerValue(answer.value) } : answer;
    },

    async renew(key, token, leaseMs) {
      checkLedgerLease(leaseMs);
      return calls.renew(key, token, leaseMs, retentionMs);
    },

    async complete(key, token, given, beside) {
      const value = ledgerValueText(key, given, maxValueBytes) ?? null;
      const metadata = ledgerMetadataText(key, beside, maxValueBytes) ?? null;
      return calls.end(key, { state: 'done', token, value, metadata }, retentionMs);
    },

    async fail(key, token, failure) {
      const value = JSON.stringify(keptFailure(failure));
      return calls.end(key, { state: 'failed', token, value, metadata: null }, retentionMs);
    },

    async look(key) {
      const stored = await calls.look(key);
      return stored && entryOf(stored);
    },

    async clear(key) {
      await calls.clear(key);
    },
  });
}

function entryOf({ state, token, fingerprint, value, metadata }: StoredKey): LedgerEntry {
  if (state === 'in_progress') return { state, token, fingerprint };
  const kept = ledgerValue(value);
  if (state === 'done')
    return { state, token, fingerprint, value: kept, ...keptMetadata(metadata) };
  // Written by `fail`.
  return { state, token, fingerprint, error: kept as LedgerFailure };
}
