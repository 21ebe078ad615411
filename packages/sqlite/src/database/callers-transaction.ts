import type { DatabaseSync } from 'node:sqlite';
import { RedriveError } from '@redrive/core';
import { checkCallersDatabase } from './callers-database.ts';
import { isBusy } from './errcode.ts';

/**
 * Runs a function inside the caller's transaction. If it throws, its own writes are undone, and the rest of the
 * transaction stays as it was.
 *
 * @throws RedriveError `not_in_transaction`, and the errors of `checkCallersDatabase`.
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
    // Only a transaction that did not begin with IMMEDIATE can find the file locked.
    if (!isBusy(error)) throw error;
    throw new RedriveError(
      'not_in_transaction',
      'The transaction cannot write, because another connection is writing: begin it with BEGIN IMMEDIATE, which waits for the lock.',
      {},
      { cause: error },
    );
  }
}
