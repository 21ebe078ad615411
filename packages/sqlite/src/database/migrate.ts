import type { DatabaseSync } from 'node:sqlite';
import { newId, systemClock } from '@redrive/core';
import { identify } from './identify.ts';
import { APPLICATION_ID, newestOf, type SchemaCode } from './schema.ts';
import { pragma, statement } from './statement.ts';

/** Creates the tables, or migrates them to the newest schema. The file must be a store or empty. */
export function migrate(db: DatabaseSync, path: string, code: SchemaCode): void {
  const newest = newestOf(code);
  if (schemaOf(db) >= newest) return;
  // Checked again under the write lock, because another process may have migrated in the meantime.
  db.exec('BEGIN IMMEDIATE');
  try {
    const isNew = identify(db, path, code) === 'empty';
    const done = isNew ? 0 : schemaOf(db);
    if (done < code.steps.length) {
      for (const step of code.steps.slice(done)) db.exec(step);
      db.exec(`PRAGMA user_version = ${newest}`);
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      statement(db, "INSERT OR REPLACE INTO meta (key, value) VALUES ('works_from', ?)").run(
        String(code.worksFrom),
      );
    }
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
