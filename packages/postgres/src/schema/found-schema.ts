import { isRedriveError, RedriveError } from '@redrive/core';
import type { Session } from '../connect/connection.ts';
import { type SchemaCode, versionOf } from './migrations.ts';

/** The state of the schema in a database. */
export interface FoundSchema {
  /** Whether the schema exists, be it empty. */
  readonly exists: boolean;
  /** The version that is complete; 0: there are no tables. */
  readonly version: number;
  /** The last step that has been carried out. Above `version` where a migration did not come to its end. */
  readonly step: number;
  /** Code below this version does not work with it. */
  readonly worksFrom: number;
  /** Indexes whose building was interrupted: they are written, and never read. */
  readonly brokenIndexes: readonly string[];
}

/** Reads the catalogue and one row: a role that may use the store may do so. */
export async function findSchema(session: Session, schema: string): Promise<FoundSchema> {
  const [row] = await session.query({
    text: `select n.nspname, t.relname, (
        select string_agg(i.relname, ' ') from pg_index x join pg_class i on i.oid = x.indexrelid
        where i.relnamespace = n.oid and not x.indisvalid)
      from pg_namespace n left join pg_class t on t.relnamespace = n.oid and t.relname = 'meta' and t.relkind = 'r'
      where n.nspname = $1`,
    values: [schema],
  });
  const nothing = { version: 0, step: 0, worksFrom: 0, brokenIndexes: [] };
  if (row === undefined) return { exists: false, ...nothing };
  const [, table, broken] = row;
  if (typeof table !== 'string') return { exists: true, ...nothing };
  const [meta] = await session.query({
    text: `select version, works_from, step from "${schema}".meta`,
  });
  const [version = 0, worksFrom = 0, step] = (meta ?? []).map((n) =>
    n === null ? undefined : Number(n),
  );
  const brokenIndexes = broken?.split(' ') ?? [];
  return { exists: true, version, step: step ?? version, worksFrom, brokenIndexes };
}

/**
 * Whether this code can work with the schema as it is: it has the code's version, or a later one that still works with it.
 *
 * @throws RedriveError `schema_too_new`.
 */
export function isUsable(
  { version, worksFrom }: FoundSchema,
  code: SchemaCode,
  place: { readonly schema: string; readonly store: string },
): boolean {
  const known = versionOf(code);
  if (worksFrom > known) {
    throw new RedriveError(
      'schema_too_new',
      `Schema ${place.schema} of ${place.store} has version ${version}, and works with processes from version ${worksFrom} on; this process has version ${known}. Upgrade this process`,
      { ...place, version, worksFrom, known },
    );
  }
  return version >= known;
}

/**
 * Runs on every new connection, because a schema may change while a process runs. Only a connection that may change the
 * schema goes on without it.
 *
 * @throws RedriveError `store_not_found`, `schema_too_old`, `schema_too_new`.
 */
export async function checkSchema(
  session: Session,
  code: SchemaCode,
  place: { readonly schema: string; readonly store: string },
): Promise<void> {
  const found = await findSchema(session, place.schema);
  if (isUsable(found, code, place)) return;
  const { schema, store } = place;
  const { version } = found;
  const needed = versionOf(code);
  if (version === 0) {
    const message = `The store ${store} does not exist: its database has no tables of Redrive in the schema ${schema}. A worker ("redrive start"), "redrive kill engage" and "redrive store migrate" create them; in a program, "await store.migrate()".`;
    throw new RedriveError('store_not_found', message, { store, schema });
  }
  throw new RedriveError(
    'schema_too_old',
    `The schema ${schema} of ${store} has version ${version}, and this process needs ${needed}. Run "redrive store migrate" or "await store.migrate()", or start a worker of this version, which does so.`,
    { store, schema, version, needed },
  );
}

/** Whether others have to make the tables, or to bring them up to date. */
export function isSchemaMissing(error: unknown): boolean {
  return isRedriveError(error, 'store_not_found') || isRedriveError(error, 'schema_too_old');
}
