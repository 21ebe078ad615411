import type { DatabaseSync } from 'node:sqlite';
import { newId, systemClock } from '@redrive/core';
import { identify } from './identify.ts';
import { APPLICATION_ID, FIRST_SCHEMA, MIGRATIONS, NEWEST_SCHEMA } from './schema.ts';
import { pragma, statement } from './statement.ts';

/** Brings the tables to the newest schema. The file was found to be a store or empty. */
export function migrate(db: DatabaseSync, path: string): void {
  if (schemaOf(db) === NEWEST_SCHEMA) return;
  // Under the write lock, and looked at again: another process may be at it, or may have been quicker.
  db.exec('BEGIN IMMEDIATE');
  try {
    const isNew = identify(db, path) === 'empty';
    const done = isNew ? 0 : schemaOf(db) - FIRST_SCHEMA + 1;
    for (const step of MIGRATIONS.slice(done)) db.exec(step);
    db.exec(`PRAGMA user_version = ${NEWEST_SCHEMA}`);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    if (isNew) {
      const id = newId('store', systemClock);
      statement(db, "INSERT INTO meta (key, value) VALUES ('store_id', ?)").run(id);
    }
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function schemaOf(db: DatabaseSync): number {
  return Number(pragma(db, 'user_version'));
}
