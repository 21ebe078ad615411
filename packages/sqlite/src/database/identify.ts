import type { DatabaseSync } from 'node:sqlite';
import { RedriveError } from '@redrive/core';
import { APPLICATION_ID, CURRENT_SCHEMA, newestOf, type SchemaCode } from './schema.ts';
import { pragma, query } from './statement.ts';

/** The kind of a file, found out without a write. */
export type Identity =
  /** An empty file. */
  | 'empty'
  /** A store of an older schema. */
  | 'older'
  /** A store of this schema, or of a newer one that this code can work with. */
  | 'usable';

/**
 * Finds out whether a file is a store that this code knows.
 *
 * @throws RedriveError `store_unsupported` for any other file, `schema_too_new` for a store of a later version that does not work with this one any more.
 */
export function identify(db: DatabaseSync, path: string, code = CURRENT_SCHEMA): Identity {
  if (db.isTransaction) return identifySnapshot(db, path, code);
  // One snapshot: between two queries another process may create the tables, and their version would be read as 0.
  db.exec('BEGIN');
  try {
    return identifySnapshot(db, path, code);
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK');
  }
}

function identifySnapshot(db: DatabaseSync, path: string, code: SchemaCode): Identity {
  const version = Number(pragma(db, 'user_version'));
  if (pragma(db, 'application_id') !== APPLICATION_ID) {
    const objects = query<[number]>(db, 'SELECT count(*) FROM sqlite_schema').get()?.[0] ?? 0;
    if (objects === 0 && version === 0) return 'empty';
    throw new RedriveError(
      'store_unsupported',
      `${path} is a SQLite database, but not a Redrive store: nothing was changed in it. Name another file, or let Redrive create the file and put your own tables into it afterwards.`,
      { path },
    );
  }
  const known = newestOf(code);
  const worksFrom = version > known ? worksFromOf(db) : 0;
  if (worksFrom > known) {
    throw new RedriveError(
      'schema_too_new',
      `${path} was written by a newer Redrive: it has schema ${version}, and works with versions that know ${worksFrom}; this one knows ${known}. Update Redrive, or restore a backup from before the update.`,
      { path, schema: version, worksFrom, known },
    );
  }
  return version < known ? 'older' : 'usable';
}

/**
 * A check for every transaction that follows a commit of another connection: a newer version may migrate the file while
 * this process has it open. The number alone is read, from a page that SQLite has in memory; the rest only if the number
 * has changed.
 *
 * @throws RedriveError (the check) `schema_too_new`, as `identify`.
 */
export function schemaFence(db: DatabaseSync, path: string, code = CURRENT_SCHEMA): () => void {
  const version = query<[version: number]>(db, 'PRAGMA user_version');
  let checked: number | undefined;
  return () => {
    const found = version.get()?.[0];
    if (found === checked) return;
    identify(db, path, code);
    checked = found;
  };
}

function worksFromOf(db: DatabaseSync): number {
  const sql = "SELECT value FROM meta WHERE key = 'works_from'";
  return Number(query<[string]>(db, sql).get()?.[0] ?? Infinity);
}

/** @throws RedriveError `store_not_found`, `schema_too_old`: a read creates and migrates nothing. */
export function checkUsable(db: DatabaseSync, path: string, code: SchemaCode): void {
  const identity = identify(db, path, code);
  if (identity === 'empty') throw notFound(path);
  if (identity === 'older') throw tooOld(path, Number(pragma(db, 'user_version')), newestOf(code));
}

export function notFound(path: string): RedriveError {
  return new RedriveError(
    'store_not_found',
    `The store ${path} does not exist. A worker ("redrive start"), the first job that is enqueued, "redrive kill engage" and "redrive store migrate" create it; in a program, "await store.migrate()".`,
    { path },
  );
}

function tooOld(path: string, schema: number, needed: number): RedriveError {
  return new RedriveError(
    'schema_too_old',
    `${path} has schema ${schema}, and this version of Redrive needs ${needed}. A worker of this version brings it up to date, and so does "redrive store migrate".`,
    { path, schema, needed },
  );
}
