import { resolve } from 'node:path';
import { lookAt } from './database/open-database.ts';
import { NEWEST_SCHEMA } from './database/schema.ts';

const BUSY_MS = 5_000;

/**
 * The schema version of this file (`from`), and its version after `store.migrate()` (`to`). Changes nothing. `from` is 0
 * if the file does not exist or is empty.
 *
 * @throws RedriveError `store_unsupported`, `schema_too_new`, `store_forbidden`, `store_unavailable`.
 */
export function schemaVersions(path: string): { readonly from: number; readonly to: number } {
  const { version } = lookAt(resolve(path), BUSY_MS);
  return { from: version, to: Math.max(version, NEWEST_SCHEMA) };
}
