import { Connection } from './connect/connection.ts';
import { clientSource } from './connect/make-client.ts';
import {
  type PostgresStoreOptions,
  type PostgresTarget,
  resolveStoreOptions,
  resolveTarget,
} from './options.ts';
import { findSchema, isUsable } from './schema/found-schema.ts';
import { CURRENT_SCHEMA, SCHEMA_VERSION } from './schema/migrations.ts';
import { planOf } from './schema/plan.ts';

/** The steps of a migration, as SQL. */
export interface MigrationPlan {
  readonly schema: string;
  /** The version of the schema now; 0: it does not exist. */
  readonly from: number;
  /** The version of the schema after the migration. */
  readonly to: number;
  /** All statements, for `psql -f`; empty: the schema is up to date. */
  readonly sql: string;
}

/**
 * Plans `store.migrate()` without changing anything. The owner of the schema can run the SQL, so that the roles of your
 * processes need no right to change tables.
 *
 * @throws RedriveError `invalid_option`, `store_unavailable`, `store_forbidden`, `schema_too_new`.
 */
export async function migrationPlan(
  target: string | PostgresTarget,
  options: PostgresStoreOptions = {},
): Promise<MigrationPlan> {
  const place = resolveTarget(target);
  const { schema, timeoutMs } = resolveStoreOptions(options, place.inAddress);
  const { name, make } = clientSource(place, timeoutMs);
  const connection = new Connection({ store: name, makeClient: make, prepare: async () => {} });
  try {
    const found = await connection.use((session) => findSchema(session, schema), timeoutMs);
    const isDone = isUsable(found, CURRENT_SCHEMA, { schema, store: name });
    const parts = isDone ? [] : planOf(schema, found, CURRENT_SCHEMA, Math.ceil(timeoutMs / 5));
    return {
      schema,
      from: found.version,
      to: Math.max(found.version, SCHEMA_VERSION),
      sql: parts.map(({ what, sql }) => `-- ${what}\n${sql}\n`).join('\n'),
    };
  } finally {
    await connection.close(timeoutMs);
  }
}
