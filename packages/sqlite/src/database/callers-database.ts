import type { DatabaseSync } from 'node:sqlite';
import { RedriveError } from '@redrive/core';
import { checkUsable } from './identify.ts';
import { CURRENT_SCHEMA } from './schema.ts';
import { pragma, query } from './statement.ts';

/**
 * Checks that a job enqueued on the caller's connection is as durable as one enqueued through the store.
 *
 * @throws RedriveError `store_unsupported`, `store_not_found`, `schema_too_old`, `schema_too_new`.
 */
export function checkCallersDatabase(db: DatabaseSync): void {
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
