import type { DatabaseSync } from 'node:sqlite';
import { type Clock, type OnceRequest, RedriveError, systemClock } from '@redrive/core';
import {
  checkReservation,
  type LedgerOptions,
  ledgerValue,
  ledgerValueText,
  resolveLedgerOptions,
} from '@redrive/durable/store';
import { inCallersTransaction } from './database/callers-transaction.ts';
import { DONE, LedgerTable } from './ledger/ledger-table.ts';
import type { SqlExecutor } from './sql-executor.ts';

export interface OnceInOptions extends LedgerOptions {
  /** For tests: the clock of the store. Default: the system's. */
  readonly clock?: Clock;
}

/** Longer than any transaction lasts; other connections see the reservation only when it is done. */
const LEASE_MS = 3_600_000;

/**
 * Runs a function once per idempotency key inside your own transaction. The writes of `run` through `db` and the record
 * of the key commit together or not at all, so the effect happens exactly once. Shares its keys with `store.ledger()`.
 *
 * ```ts
 * db.exec('BEGIN IMMEDIATE');
 * onceIn(db, { key: 'payment-17' }, () => {
 *   db.prepare('UPDATE accounts SET balance = balance - 100 WHERE id = ?').run(17);
 * });
 * db.exec('COMMIT');
 * ```
 *
 * Returns the stored result if the key is done. An error of `run` is thrown unchanged; then its writes are rolled back and
 * nothing is recorded, also if your transaction commits. `run` is synchronous, because the connection is. The connection
 * must have the settings that `enqueueIn` needs.
 *
 * @throws RedriveError `idempotency_in_progress` (another caller has reserved the key through `store.ledger()`),
 *   `idempotency_conflict`, `payload_too_large`, `invalid_option`, and the errors of `enqueueIn`.
 */
export function onceIn<T>(
  connection: DatabaseSync | SqlExecutor,
  { key, fingerprint = '' }: Pick<OnceRequest, 'key' | 'fingerprint'>,
  run: (token: number) => T,
  { clock = systemClock, ...options }: OnceInOptions = {},
): T {
  const { retentionMs, maxValueBytes } = resolveLedgerOptions(options);
  checkReservation(key, { fingerprint, leaseMs: LEASE_MS });
  return inCallersTransaction(connection, 'onceIn', (db) => {
    const table = new LedgerTable(db);
    const nowMs = clock.now();
    const reservation = table.reserve(key, fingerprint, LEASE_MS, retentionMs, nowMs);
    // The caller promises that all results under a key have one type.
    if (reservation.state === 'done') return ledgerValue(reservation.value) as T;
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

/** Runs the function, and checks that it is finished and the transaction still open. */
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
