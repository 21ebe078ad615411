import type { DatabaseSync } from 'node:sqlite';
import { RedriveError } from '@redrive/core';
import { connectionOf, type SqlExecutor } from '../sql-executor.ts';
import { checkUsable } from './identify.ts';
import { FIXED_IN, keepsCommits } from './node-sqlite.ts';
import { CURRENT_SCHEMA } from './schema.ts';
import { hasTwoLibraries } from './second-library.ts';
import { isBusy, pragma, query } from './statement.ts';

/** A connection of the caller. */
export type CallersConnection = DatabaseSync | SqlExecutor;

/**
 * Runs a function inside the caller's transaction. If it throws, its own writes are undone, and the rest of the
 * transaction stays as it was.
 *
 * @throws RedriveError `not_in_transaction`, and the errors of `checkedConnection` and `checkCallersDatabase`.
 */
export function inCallersTransaction<T>(
  connection: CallersConnection,
  name: string,
  body: (db: DatabaseSync) => T,
): T {
  const db = checkedConnection(connection, name);
  if (!db.isTransaction) {
    throw new RedriveError(
      'not_in_transaction',
      `${name} needs a transaction of yours: begin it with BEGIN IMMEDIATE.`,
    );
  }
  const path = checkCallersDatabase(db);
  if (db !== connection && hasTwoLibraries(path)) throw besideNodeSqlite(name, path);
  db.exec('SAVEPOINT redrive');
  try {
    const result = body(db);
    db.exec('RELEASE redrive');
    return result;
  } catch (error) {
    // After some errors SQLite has rolled the whole transaction back by itself.
    if (db.isTransaction) {
      db.exec('ROLLBACK TO redrive');
      db.exec('RELEASE redrive');
    }
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

/**
 * The connection, or that of an executor. Plain JavaScript may pass anything, and some libraries have a `DatabaseSync` of
 * their own.
 *
 * @throws RedriveError `store_unsupported`.
 */
function checkedConnection(given: CallersConnection, name: string): DatabaseSync {
  const sqlite = process.getBuiltinModule?.('node:sqlite');
  if (sqlite !== undefined && given instanceof sqlite.DatabaseSync) return given;
  const other = Object(given) as Readonly<Record<string, unknown>>; // Checked next.
  if (typeof other.runSql === 'function') {
    const db = connectionOf(given as SqlExecutor); // Checked above.
    checkLibrary(db, name);
    return db;
  }
  const isBetterSqlite3 = typeof other.inTransaction === 'boolean' && 'pragma' in other;
  const driver = isBetterSqlite3 ? 'better-sqlite3' : `another driver (${other.constructor?.name})`;
  throw new RedriveError(
    'store_unsupported',
    `${name} works on a DatabaseSync of node:sqlite or an sqlExecutor, and this connection belongs to ${driver}: make an executor of it with sqlExecutor in a process that opens no store, open your own file with node:sqlite for this transaction, or use jobs.enqueue after its commit.`,
    { driver },
  );
}

/** Two connections of an old SQLite can lose commits. @throws RedriveError `store_unsupported`. */
function checkLibrary(db: DatabaseSync, name: string): void {
  const version = String(query<[string]>(db, 'SELECT sqlite_version()').get()?.[0]);
  if (keepsCommits(version)) return;
  throw new RedriveError(
    'store_unsupported',
    `${name} does not write with SQLite ${version} of your library: it can lose committed writes when two connections write at once. SQLite ${FIXED_IN.join(', ')} and everything after ${FIXED_IN.at(-1)} is safe.`,
    { version, fixedIn: FIXED_IN },
  );
}

function besideNodeSqlite(name: string, path: string): RedriveError {
  return new RedriveError(
    'store_unsupported',
    `${name} does not write with this library, because node:sqlite has ${path} open in this process too: two SQLite libraries in one process do not see each other's locks, and closing one connection can delete commits of the other. Open the store in another process, and make commands here with jobsOn(memoryStore(), …).prepare; or use node:sqlite for this transaction.`,
    { path },
  );
}

/**
 * Checks that a job enqueued on the caller's connection is as durable as one enqueued through the store. Returns the path
 * of its file.
 *
 * @throws RedriveError `store_unsupported`, `store_not_found`, `schema_too_old`, `schema_too_new`.
 */
function checkCallersDatabase(db: DatabaseSync): string {
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
  return path;
}

function unsupported(why: string, details: Readonly<Record<string, unknown>>): RedriveError {
  return new RedriveError(
    'store_unsupported',
    `No job can be enqueued on this connection: ${why}.`,
    details,
  );
}
