import {
  type LedgerEntry,
  type LedgerFailure,
  type OnceLedger,
  type Reservation,
  withOnce,
} from '@redrive/core';
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
import type { LedgerAnswer, LedgerCalls } from './ledger-calls.ts';

/** Who reserves a key that a caller's transaction is at work on is told so after this. */
const RESERVE_PATIENCE_MS = 20;

/** Core's ledger, in the tables of a store. */
export function postgresLedger(calls: LedgerCalls, options?: LedgerOptions): OnceLedger {
  const { retentionMs, maxValueBytes } = resolveLedgerOptions(options);
  return withOnce({
    async reserve(key, request) {
      checkReservation(key, request);
      const call = { what: 'reserve', key, ...request, retentionMs } as const;
      return reservationOf(await calls.call(call, RESERVE_PATIENCE_MS), request.leaseMs);
    },

    async renew(key, token, leaseMs) {
      checkLedgerLease(leaseMs);
      return isOk(await calls.demand({ what: 'renew', key, token, leaseMs, retentionMs }));
    },

    async complete(key, token, value, metadata) {
      const text = ledgerValueText(key, value, maxValueBytes);
      const beside = ledgerMetadataText(key, metadata, maxValueBytes);
      const call = { what: 'complete', key, token, value: text, retentionMs } as const;
      return isOk(await calls.demand(beside === undefined ? call : { ...call, error: beside }));
    },

    async fail(key, token, failure) {
      const error = JSON.stringify(keptFailure(failure));
      return isOk(await calls.demand({ what: 'fail', key, token, error, retentionMs }));
    },

    async look(key) {
      return entryOf(await calls.demand({ what: 'look', key }));
    },

    async clear(key) {
      await calls.demand({ what: 'clear', key });
    },
  });
}

function isOk({ answer }: LedgerAnswer): boolean {
  return answer === 'ok';
}

function reservationOf(
  { answer, token, fingerprint, value, leaseLeftMs }: LedgerAnswer,
  leaseMs: number,
): Reservation {
  switch (answer) {
    case 'reserved':
      return { state: 'reserved', token };
    case 'done':
      return { state: 'done', value: ledgerValue(value) };
    case 'conflict':
      return { state: 'conflict', recordedFingerprint: fingerprint };
    case 'in_progress':
      return { state: 'in_progress', leaseLeftMs };
    default:
      // A caller's transaction: nobody knows for how long.
      return { state: 'in_progress', leaseLeftMs: leaseMs };
  }
}

function entryOf({
  answer,
  token,
  fingerprint,
  value,
  error,
}: LedgerAnswer): LedgerEntry | undefined {
  switch (answer) {
    case 'in_progress':
      return { state: 'in_progress', token, fingerprint };
    case 'done':
      return {
        state: 'done',
        token,
        fingerprint,
        value: ledgerValue(value),
        ...keptMetadata(error),
      };
    case 'failed':
      // Written by `fail`.
      return {
        state: 'failed',
        token,
        fingerprint,
        error: JSON.parse(error ?? '') as LedgerFailure,
      };
    default:
      return undefined;
  }
}
