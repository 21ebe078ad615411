import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { RedriveError, systemClock } from '@redrive/core';
import { checkUsable, type Identity, identify, notFound } from './identify.ts';
import { migrate } from './migrate.ts';
import { checkSqliteVersion, openDatabase } from './node-sqlite.ts';
import { makePrivately } from './private-file.ts';
import { CURRENT_SCHEMA } from './schema.ts';
import { errcodeOf, isBusy, pragma } from './statement.ts';
import { closedDirectory, writeProblem } from './write-problem.ts';

/**
 * Opens the file for writing, creates or migrates its tables, and checks that a commit will be on disk when it returns.
 *
 * @throws RedriveError `store_unsupported`, `schema_too_new`, `store_forbidden`, `store_unavailable`.
 */
export function openForWriting(path: string, busyMs: number, code = CURRENT_SCHEMA): DatabaseSync {
  makePrivately(checkedPlace(path));
  return opened(path, busyMs, (db) => {
    identify(db, path, code);
    makeDurable(db, path);
    migrate(db, path, code);
    // In KiB. Small, because a commit after a page split walks over the whole cache; the system's cache is larger.
    db.exec('PRAGMA cache_size = -4000');
  });
}

/** The kind of the file. Creates and changes nothing. @throws RedriveError as `openForWriting`, if the file exists. */
export function lookAt(
  path: string,
  busyMs: number,
  code = CURRENT_SCHEMA,
): { readonly identity: Identity; readonly version: number } {
  if (!existsSync(checkedPlace(path))) {
    const db = openDatabase(':memory:');
    try {
      checkSqliteVersion(db);
    } finally {
      db.close();
    }
    return { identity: 'empty', version: 0 };
  }
  let found: { readonly identity: Identity; readonly version: number } | undefined;
  opened(path, busyMs, (db) => {
    found = { identity: identify(db, path, code), version: Number(pragma(db, 'user_version')) };
  }).close();
  return found ?? { identity: 'empty', version: 0 };
}

/**
 * Opens a second connection, only for queries. The file must already be a store.
 *
 * @throws RedriveError `store_not_found`, `schema_too_old`, and as `openForWriting`.
 */
export function openForReading(path: string, busyMs: number, code = CURRENT_SCHEMA): DatabaseSync {
  if (!existsSync(checkedPlace(path))) throw notFound(path);
  return opened(path, busyMs, (db) => {
    checkUsable(db, path, code);
    // Not `readOnly`: such a connection cannot recover the log of a process that was killed.
    db.exec('PRAGMA query_only = ON');
  });
}

/**
 * SQLite's own wait for a lock. While SQLite waits, its thread cannot be ended: a process that ends would wait for it.
 */
const WAIT_MS = 100;
/** For the first switch to WAL, which needs exclusive access to the file, SQLite does not wait at all. */
const PAUSE_MS = 1;

/** Closes the file again if a check fails. While another process holds its lock, it tries again for `busyMs`. */
function opened(path: string, busyMs: number, prepare: (db: DatabaseSync) => void): DatabaseSync {
  const untilMs = systemClock.monotonic() + busyMs;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      const db = openedOnce(path, Math.min(WAIT_MS, busyMs), prepare);
      db.exec(`PRAGMA busy_timeout = ${busyMs}`);
      return db;
    } catch (error) {
      if (!isBusy(error) || systemClock.monotonic() >= untilMs) throw error;
      Atomics.wait(pause, 0, 0, PAUSE_MS);
    }
  }
}

function openedOnce(
  path: string,
  waitMs: number,
  prepare: (db: DatabaseSync) => void,
): DatabaseSync {
  const place = checkedPlace(path);
  let db: DatabaseSync | undefined;
  try {
    db = openDatabase(place, { timeout: waitMs });
    checkSqliteVersion(db);
    prepare(db);
    return db;
  } catch (error) {
    if (db?.isOpen) db.close();
    if (isNoDatabase(error)) throw noDatabase(path, error);
    throw isDenied(error) ? denied(path, place, error) : error;
  }
}

/** SQLite reports this at the first query. */
function isNoDatabase(error: unknown): error is Error {
  const notADatabase = 26;
  return errcodeOf(error) === notADatabase;
}

/** SQLite cannot open the file, or has opened it read-only because it may not write. */
function isDenied(error: unknown): error is Error {
  const [readOnly, cannotOpen] = [8, 14];
  const code = (errcodeOf(error) ?? 0) & 0xff;
  return code === readOnly || code === cannotOpen;
}

function denied(path: string, place: string, cause: Error): RedriveError {
  const problem = writeProblem(place);
  if (problem !== undefined) return forbidden(path, problem, cause);
  const message = `Cannot open ${path}: ${cause.message}.`;
  return new RedriveError('store_unavailable', message, { path }, { cause });
}

function forbidden(path: string, problem: string, cause?: Error): RedriveError {
  const message = `Cannot open ${path}: permission denied: ${problem}. Let that user write the file and its directory (chown, chmod), or run as its owner.`;
  return new RedriveError('store_forbidden', message, { path }, cause && { cause });
}

function noDatabase(path: string, cause: Error): RedriveError {
  const message = `${path} is not a SQLite database: nothing was changed in it.`;
  return new RedriveError('store_unsupported', message, { path }, { cause });
}

/** SQLite reports only "unable to open database file": this finds the reason. */
function checkedPlace(path: string): string {
  const place = resolve(path);
  const problem = placeProblem(path, place);
  if (problem !== undefined) {
    // A file in a directory that this user may not enter seems not to exist.
    const denied = path === '' ? undefined : closedDirectory(dirname(place));
    if (denied !== undefined) throw forbidden(path, denied);
    throw new RedriveError('store_unavailable', `Cannot open ${path}: ${problem}.`, { path });
  }
  return place;
}

function placeProblem(path: string, place: string): string | undefined {
  if (path === '') return 'the path is empty';
  if (!existsSync(dirname(place))) return `the directory ${dirname(place)} does not exist`;
  if (!statSync(dirname(place)).isDirectory()) return `${dirname(place)} is not a directory`;
  if (existsSync(place) && !statSync(place).isFile()) return 'it is not a file';
  return undefined;
}

/** Sets both settings and reads them back: some file systems have no shared memory, and a build may override them. */
function makeDurable(db: DatabaseSync, path: string): void {
  const mode = pragma(db, 'journal_mode = WAL');
  if (mode !== 'wal') {
    throw new RedriveError(
      'store_unsupported',
      `${path} cannot be used in WAL mode (its journal mode stays ${String(mode)}). Network file systems cannot: keep the file on a local disk.`,
      { path, journalMode: mode },
    );
  }
  db.exec('PRAGMA synchronous = FULL');
  const level = pragma(db, 'synchronous');
  if (level !== 2) {
    throw new RedriveError(
      'store_unsupported',
      `${path}: SQLite does not keep synchronous=FULL (its level is ${String(level)}), so a power failure could lose a commit.`,
      { path, synchronous: level },
    );
  }
}
