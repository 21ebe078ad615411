import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { RedriveError } from '@redrive/core';
import { errcodeOf } from './errcode.ts';
import { checkUsable, type Identity, identify, notFound } from './identify.ts';
import { migrate } from './migrate.ts';
import { checkSqliteVersion, openDatabase } from './node-sqlite.ts';
import { makePrivately } from './private-file.ts';
import { CURRENT_SCHEMA } from './schema.ts';
import { pragma } from './statement.ts';
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
    makeDurable(db, path, busyMs);
    migrate(db, path, code);
    // In KiB. Little, because a commit after a page was split walks over the whole cache; the system has a larger one.
    db.exec('PRAGMA cache_size = -4000');
  });
}

/** What the file is. Nothing is made or changed. @throws RedriveError as `openForWriting`, where the file is there. */
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
 * Opens a second connection for queries alone. The file must be a store already.
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

/** Closes the file again if it turns out to be no good. */
function opened(path: string, busyMs: number, prepare: (db: DatabaseSync) => void): DatabaseSync {
  const place = checkedPlace(path);
  let db: DatabaseSync | undefined;
  try {
    db = openDatabase(place, { timeout: busyMs });
    checkSqliteVersion(db);
    prepare(db);
    return db;
  } catch (error) {
    if (db?.isOpen) db.close();
    if (isNoDatabase(error)) throw noDatabase(path, error);
    throw isDenied(error) ? denied(path, place, error) : error;
  }
}

/** The first look into a file tells. */
function isNoDatabase(error: unknown): error is Error {
  const notADatabase = 26;
  return errcodeOf(error) === notADatabase;
}

/** SQLite cannot open it, or opened it for reading alone because it could not do better. */
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

/** SQLite says only "unable to open database file": these say why. */
function checkedPlace(path: string): string {
  const place = resolve(path);
  const problem = placeProblem(path, place);
  if (problem !== undefined) {
    // What stands behind a closed directory seems not to exist.
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

/** Switches both settings on, and reads them back: some file systems have no shared memory, and a build may override. */
function makeDurable(db: DatabaseSync, path: string, busyMs: number): void {
  // Switching to WAL for the first time wants the file alone, and does not wait for it by itself.
  db.exec(`PRAGMA busy_timeout = ${busyMs}`);
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
