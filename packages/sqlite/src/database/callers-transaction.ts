import type { DatabaseSync } from 'node:sqlite';
import { RedriveError } from '@redrive/core';
import { checkUsable } from './identify.ts';
import { CURRENT_SCHEMA } from './schema.ts';
import { isBusy, pragma, query } from './statement.ts';

/**
 * Runs a function inside the caller's transaction. If it throws, its own writes are undone, and the rest of the
 * transaction stays as it was.
 *
 * @throws RedriveError `not_in_transaction`, and the errors of `checkDriver` and `checkCallersDatabase`.
 */
export function inCallersTransaction<T>(db: DatabaseSync, name: string, body: () => T): T {
  checkDriver(db, name);
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

/** Plain JavaScript may pass a connection of another driver, which has other properties. @throws RedriveError `store_unsupported`. */
function checkDriver(db: unknown, name: string): void {
  const given = Object(db) as Readonly<Record<string, unknown>>; // Checked next.
  if (typeof given.isTransaction === 'boolean') return;
  const isBetterSqlite3 = typeof given.inTransaction === 'boolean' && 'pragma' in given;
  const driver = isBetterSqlite3 ? 'better-sqlite3' : `another driver (${given.constructor?.name})`;
  throw new RedriveError(
    'store_unsupported',
    `${name} works on a DatabaseSync of node:sqlite, and this connection belongs to ${driver}: open your own file with node:sqlite for this transaction, or use jobs.enqueue after its commit.`,
    { driver },
  );
}

/**
 * Checks that a job enqueued on the caller's connection is as durable as one enqueued through the store.
 *
 * @throws RedriveError `store_unsupported`, `store_not_found`, `schema_too_old`, `schema_too_new`.
 */
function checkCallersDatabase(db: DatabaseSync): void {
  const files = query<[seq: number, name: string, file: string]>(db, 'PRAGMA database_list').all();
  const attached = files
    .map(([, name]) => name)
    .filter((name) => name !== 'main' && name !== 'temp');
  if (attached.length > 0) {
    throw unsupported(
      `it has attached databases (${attached.join(', ')}), and a commit in WAL mode is not atomic over several files: detach them, or use a connection without`,
      { attached },
    );
  }
  const path = files.find(([, name]) => name === 'main')?.[2] ?? '';
  checkUsable(db, path, CURRENT_SCHEMA);
  const mode = pragma(db, 'journal_mode');
  if (mode !== 'wal') {
    throw unsupported(`its journal mode is ${String(mode)}: it must be WAL`, { journalMode: mode });
  }
  const level = pragma(db, 'synchronous');
  const full = 2;
  if (Number(level) < full) {
    throw unsupported(
      'a commit on it is not on disk when it returns: run PRAGMA synchronous=FULL on it first',
      { synchronous: level },
    );
  }
}

function unsupported(why: string, details: Readonly<Record<string, unknown>>): RedriveError {
  return new RedriveError(
    'store_unsupported',
    `No job can be enqueued on this connection: ${why}.`,
    details,
  );
}
