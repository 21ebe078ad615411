import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite';
import { RedriveError } from '@redrive/core';
import { query } from './statement.ts';

type NodeSqlite = typeof import('node:sqlite');

/**
 * The first release of each line of SQLite in which two connections that write and checkpoint at once lose no committed
 * write. Every later line has the fix too.
 */
export const FIXED_IN = ['3.44.6', '3.50.7', '3.51.3'] as const;

/** The releases of Node that contain such a SQLite. `engines` in the package's `package.json` has the same ones. */
const REMEDY = 'Use Node 22.22.3, 24.15.0, 25.9.0 or a newer release of these lines.';

/**
 * Opens a file with Node's own SQLite.
 *
 * The module is looked up here and not imported, so that a Node without it gets an error that says what to do. Its
 * features decide, and not the version of Node: some builds use the SQLite of the system.
 *
 * @throws RedriveError `store_unsupported`.
 */
export function openDatabase(place: string | URL, options: DatabaseSyncOptions = {}): DatabaseSync {
  // Node before 20.16 has no such function, and no node:sqlite either.
  const sqlite = process.getBuiltinModule?.('node:sqlite');
  const missing = missingIn(sqlite);
  if (sqlite === undefined || missing !== undefined) {
    const message = `The SQLite store needs ${missing}, which Node ${process.versions.node} does not have. ${REMEDY}`;
    throw new RedriveError('store_unsupported', message, { node: process.versions.node });
  }
  return new sqlite.DatabaseSync(place, options);
}

/** The first feature that Redrive needs and this module lacks. */
export function missingIn(sqlite: Partial<NodeSqlite> | undefined): string | undefined {
  if (sqlite?.StatementSync === undefined) return 'the module node:sqlite';
  // This member and `isTransaction` are the newest that the store uses.
  if ('setReturnArrays' in sqlite.StatementSync.prototype) return undefined;
  return 'setReturnArrays() of node:sqlite';
}

/** @throws RedriveError `store_unsupported` for an SQLite that can lose commits. */
export function checkSqliteVersion(db: DatabaseSync): void {
  const version = String(query<[string]>(db, 'SELECT sqlite_version()').get()?.[0]);
  if (keepsCommits(version)) return;
  throw new RedriveError(
    'store_unsupported',
    `SQLite ${version} of Node ${process.versions.node} can lose committed writes when two connections write at once. SQLite ${FIXED_IN.join(', ')} and everything after ${FIXED_IN.at(-1)} is safe. ${REMEDY}`,
    { version, fixedIn: FIXED_IN },
  );
}

/** Whether this version of SQLite, such as `3.51.3`, has the fix. */
export function keepsCommits(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = numbersOf(version);
  const [newestMajor = 0, newestMinor = 0] = numbersOf(FIXED_IN[2]);
  if (major !== newestMajor) return major > newestMajor;
  if (minor > newestMinor) return true;
  const fix = FIXED_IN.map(numbersOf).find(([, line]) => line === minor);
  return fix !== undefined && patch >= (fix[2] ?? 0);
}

function numbersOf(version: string): number[] {
  return version.split('.').map(Number);
}
