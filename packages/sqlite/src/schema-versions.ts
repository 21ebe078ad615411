import { resolve } from 'node:path';
import { lookAt } from './database/open-database.ts';
import { NEWEST_SCHEMA } from './database/schema.ts';

const BUSY_MS = 5_000;

/**
 * The version that the tables in this file have, and the one that `store.migrate()` would give them. Changes nothing.
 * `from` is 0 where there is no file, or nothing in it.
 *
 * @throws RedriveError `store_unsupported`, `schema_too_new`, `store_forbidden`, `store_unavailable`.
 */
export function schemaVersions(path: string): { readonly from: number; readonly to: number } {
  const { version } = lookAt(resolve(path), BUSY_MS);
  return { from: version, to: Math.max(version, NEWEST_SCHEMA) };
}
