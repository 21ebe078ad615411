import type { DatabaseSync } from 'node:sqlite';
import { RedriveError } from '@redrive/core';
import { checkCallersDatabase } from './callers-database.ts';
import { isBusy } from './errcode.ts';

/**
 * Does something inside a transaction of the caller's: all of it or, when it throws, nothing of it, whatever becomes of
 * the rest of the transaction.
 *
 * @throws RedriveError `not_in_transaction`, and what `checkCallersDatabase` throws.
 */
export function inCallersTransaction<T>(db: DatabaseSync, name: string, body: () => T): T {
  if (!db.isTransaction) {
    throw new RedriveError(
      'not_in_transaction',
      `${name} needs a transaction of yours: begin it with BEGIN IMMEDIATE.`,
    );
  }
  checkCallersDatabase(db);
  db.exec('SAVEPOINT redrive');
  try {
    const result = body();
    db.exec('RELEASE redrive');
    return result;
  } catch (error) {
    // After some errors SQLite has rolled the whole transaction back by itself.
    if (db.isTransaction) db.exec('ROLLBACK TO redrive; RELEASE redrive');
    // In a transaction that has begun with IMMEDIATE nobody else can have the lock.
    if (!isBusy(error)) throw error;
    throw new RedriveError(
      'not_in_transaction',
      'The transaction cannot write, because another connection is writing: begin it with BEGIN IMMEDIATE, which waits for the lock.',
      {},
      { cause: error },
    );
  }
}
