import type { DatabaseSync } from 'node:sqlite';
import { type Clock, type OnceRequest, RedriveError, systemClock } from '@redrive/core';
import {
  checkReservation,
  type LedgerOptions,
  ledgerValueText,
  resolveLedgerOptions,
} from '@redrive/durable/store';
import { inCallersTransaction } from './database/callers-transaction.ts';
import { DONE } from './ledger/encoded-ledger.ts';
import { LedgerTable } from './ledger/ledger-table.ts';
import { reservationOf } from './ledger/sqlite-ledger.ts';

export interface OnceInOptions extends LedgerOptions {
  /** For tests: the one that the store has. Default: the system's. */
  readonly clock?: Clock;
}

/** Longer than any transaction lasts; nobody else sees the reservation before it is done. */
const LEASE_MS = 3_600_000;

/**
 * Does something once per idempotency key inside your own transaction: what `run` writes through `db` and the record of
 * it commit together or not at all, so it happens exactly once. Shares its keys with `store.ledger()`.
 *
 * ```ts
 * db.exec('BEGIN IMMEDIATE');
 * onceIn(db, { key: 'payment-17' }, () => {
 *   db.prepare('UPDATE accounts SET balance = balance - 100 WHERE id = ?').run(17);
 * });
 * db.exec('COMMIT');
 * ```
 *
 * Answers with the stored result where there is one. What `run` throws comes out as it is; then neither its writes nor a
 * record are kept, whatever becomes of the transaction. `run` is synchronous, because the connection is. The connection
 * must be as `enqueueIn` wants it.
 *
 * @throws RedriveError `idempotency_in_progress` (somebody holds the key through `store.ledger()`),
 *   `idempotency_conflict`, `payload_too_large`, `invalid_option`, and those of `enqueueIn`.
 */
export function onceIn<T>(
  db: DatabaseSync,
  { key, fingerprint = '' }: Pick<OnceRequest, 'key' | 'fingerprint'>,
  run: (token: number) => T,
  { clock = systemClock, ...options }: OnceInOptions = {},
): T {
  const { retentionMs, maxValueBytes } = resolveLedgerOptions(options);
  checkReservation(key, { fingerprint, leaseMs: LEASE_MS });
  return inCallersTransaction(db, 'onceIn', () => {
    const table = new LedgerTable(db);
    const nowMs = clock.now();
    const reservation = reservationOf(
      table.reserve(key, fingerprint, LEASE_MS, retentionMs, nowMs),
    );
    // The caller's promise: what a key stands for has one type.
    if (reservation.state === 'done') return reservation.value as T;
    if (reservation.state !== 'reserved') {
      const conflict = reservation.state === 'conflict';
      throw new RedriveError(
        conflict ? 'idempotency_conflict' : 'idempotency_in_progress',
        `Idempotency key ${key} ${conflict ? 'was used with other parameters' : 'is held by another caller'}; nothing was run`,
        { key },
      );
    }
    const { token } = reservation;
    const value = ran(db, () => run(token));
    const text = ledgerValueText(key, value, maxValueBytes) ?? null;
    table.carryOut(['end', key, token, DONE, text, retentionMs, null], nowMs);
    return value;
  });
}

/** Runs what may run only once, and sees to it that it is over and still in the transaction. */
function ran<T>(db: DatabaseSync, run: () => T): T {
  const value = run();
  if (typeof Object(value).then === 'function') {
    throw new RedriveError(
      'invalid_option',
      'The function of onceIn must be synchronous: it returned a promise, and the transaction would not wait for it.',
    );
  }
  if (!db.isTransaction) {
    throw new RedriveError(
      'not_in_transaction',
      'The function of onceIn has ended the transaction: its writes can no longer commit together with the record.',
    );
  }
  return value;
}
