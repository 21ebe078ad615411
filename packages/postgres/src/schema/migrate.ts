import { RedriveError } from '@redrive/core';
import type { Session } from '../connect/connection.ts';
import { functions, MIGRATIONS, SCHEMA_VERSION } from './migrations.ts';

/**
 * Whether the schema has this code's version. Nothing is asked of the role but to read: whoever runs the migrations with
 * another role needs to grant only use.
 *
 * @throws RedriveError `schema_too_new`.
 */
export async function isUpToDate(
  session: Session,
  schema: string,
  store: string,
): Promise<boolean> {
  return (await versionOf(session, schema, store)) === SCHEMA_VERSION;
}

export interface MigrationLimits {
  /** Of each statement, and of waiting for another process that migrates. */
  readonly timeoutMs: number;
  /** Of waiting for a table: as long as a migration waits for one, everybody else waits behind it. */
  readonly lockTimeoutMs: number;
}

/** Brings the schema to this code's version, in one transaction. @throws RedriveError `schema_too_new`. */
export async function migrate(
  session: Session,
  schema: string,
  store: string,
  { timeoutMs, lockTimeoutMs }: MigrationLimits,
): Promise<void> {
  const quoted = `"${schema}"`;
  const limit = (name: string, ms: number) =>
    session.query({ text: 'select set_config($1, $2, true)', values: [name, String(ms)] });
  await session.query({ text: 'begin' });
  try {
    await limit('statement_timeout', timeoutMs);
    await limit('lock_timeout', timeoutMs);
    // One process migrates; the others wait, and find it done.
    await session.query({
      text: "select pg_advisory_xact_lock(hashtextextended('redrive schema ' || $1, 7))",
      values: [schema],
    });
    await limit('lock_timeout', lockTimeoutMs);
    const version = await versionOf(session, schema, store);
    if (version === undefined) {
      // Only where it is missing: creating needs a right that using does not.
      const [exists] = await session.query({
        text: 'select 1 from pg_namespace where nspname = $1',
        values: [schema],
      });
      if (exists === undefined) await session.query({ text: `create schema ${quoted}` });
      await session.query({
        text: `create table ${quoted}.meta (version integer not null, migrated_at timestamptz not null)`,
      });
      await session.query({ text: `insert into ${quoted}.meta values (0, clock_timestamp())` });
    }
    for (const migration of MIGRATIONS.filter((one) => one.version > (version ?? 0))) {
      await session.query({ text: migration.sql(quoted) });
      await session.query({
        text: `update ${quoted}.meta set version = $1, migrated_at = clock_timestamp()`,
        values: [migration.version],
      });
    }
    if (version !== SCHEMA_VERSION) {
      await session.query({ text: functions(quoted) });
      await session.query({ text: grantsSql(schema) });
    }
    await session.query({ text: 'commit' });
  } catch (error) {
    await session.query({ text: 'rollback' }).catch(() => {});
    throw error;
  }
}

/**
 * Roles that may use the jobs may use new tables in the same way: functions that they call all day read them, also in
 * processes of the version before.
 */
function grantsSql(schema: string): string {
  return `do $grants$
    declare
      g record;
    begin
      for g in
        select t.oid::regclass as new_table, a.privilege_type,
          case when a.grantee = 0 then 'public' else a.grantee::regrole::text end as grantee
        from pg_class t cross join pg_class j cross join lateral aclexplode(j.relacl) a
        where t.relnamespace = '"${schema}"'::regnamespace and t.relkind = 'r' and t.relacl is null
          and j.oid = '"${schema}".jobs'::regclass
      loop
        execute format('grant %s on %s to %s', g.privilege_type, g.new_table, g.grantee);
      end loop;
    end $grants$`;
}

/** The version that the schema has; `undefined`: it is not there. */
async function versionOf(
  session: Session,
  schema: string,
  store: string,
): Promise<number | undefined> {
  const [exists] = await session.query({
    text: "select 1 from pg_tables where schemaname = $1 and tablename = 'meta'",
    values: [schema],
  });
  if (exists === undefined) return undefined;
  const [row] = await session.query({ text: `select version from "${schema}".meta` });
  const version = Number(row?.[0] ?? 0);
  if (version > SCHEMA_VERSION) {
    throw new RedriveError(
      'schema_too_new',
      `Schema ${schema} of ${store} has version ${version}, this code knows ${SCHEMA_VERSION}: a newer Redrive has been here. Upgrade this process`,
      { store, schema, version, known: SCHEMA_VERSION },
    );
  }
  return version;
}
