import type { DatabaseSync } from 'node:sqlite';
import { RedriveError } from '@redrive/core';
import { APPLICATION_ID, FIRST_SCHEMA, NEWEST_SCHEMA } from './schema.ts';
import { pragma, query } from './statement.ts';

/** What a file is, before anything is written to it. */
export type Identity =
  /** Nothing in it yet. */
  | 'empty'
  /** A store, of the newest schema or an older one. */
  | 'store';

/**
 * Finds out whether a file is a store that this code knows.
 *
 * @throws RedriveError `store_unsupported` for any other file and for a store from before the first release,
 *   `schema_too_new` for a store of a later version.
 */
export function identify(db: DatabaseSync, path: string): Identity {
  if (db.isTransaction) return identifySnapshot(db, path);
  // One snapshot: between two looks another process may make the tables, and their version would seem to be 0.
  db.exec('BEGIN');
  try {
    return identifySnapshot(db, path);
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK');
  }
}

function identifySnapshot(db: DatabaseSync, path: string): Identity {
  const version = Number(pragma(db, 'user_version'));
  if (pragma(db, 'application_id') !== APPLICATION_ID) {
    const objects = query<[number]>(db, 'SELECT count(*) FROM sqlite_schema').get()?.[0] ?? 0;
    if (objects === 0 && version === 0) return 'empty';
    throw new RedriveError(
      'store_unsupported',
      `${path} is a SQLite database, but no Redrive store: nothing was changed in it. Name another file, or let Redrive create the file and put your own tables into it afterwards.`,
      { path },
    );
  }
  if (version > NEWEST_SCHEMA) {
    throw new RedriveError(
      'schema_too_new',
      `${path} was written by a newer Redrive (schema ${version}; this one knows ${NEWEST_SCHEMA}). Update Redrive, or restore a backup from before the update.`,
      { path, schema: version, known: NEWEST_SCHEMA },
    );
  }
  if (version < FIRST_SCHEMA) {
    throw new RedriveError(
      'store_unsupported',
      `${path} was made by a Redrive from before its first release (schema ${version}; this one begins with ${FIRST_SCHEMA}), and cannot be brought up to date: nothing was changed in it. Finish its jobs with the version that made it, then delete the file or name another one.`,
      { path, schema: version, oldest: FIRST_SCHEMA },
    );
  }
  return 'store';
}
