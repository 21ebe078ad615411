import type { FoundSchema } from './found-schema.ts';
import {
  type Migration,
  type MigrationIndex,
  type SchemaCode,
  versionOf,
  worksFromOf,
} from './migrations.ts';

/** A unit that runs at once: one transaction, or one statement that cannot be part of one. */
export interface Part {
  readonly what: string;
  readonly sql: string;
}

/**
 * All that brings a schema to this code's version, in order; empty where there is nothing to do. A person may run the same
 * text (`redrive store migrate --dry-run`). Each transaction first looks whether the schema is still as it was found.
 *
 * Tables come first, in one transaction up to a step with indexes; then those indexes, one by one; the functions and the
 * version itself come last. In a schema without jobs, everything is one transaction.
 */
export function planOf(
  schema: string,
  found: FoundSchema,
  code: SchemaCode,
  lockTimeoutMs: number,
): readonly Part[] {
  if (found.version >= versionOf(code)) return [];
  const s = `"${schema}"`;
  const isNew = found.version === 0;
  const parts: Part[] = [];
  let texts = isNew ? [META(s, found.exists)] : [];
  let titles: string[] = [];
  /** The step that the database has when the next transaction begins. */
  let done = found.step;

  function endTransaction(reached: number, last: string): void {
    const begin = guard(schema, isNew ? undefined : { version: found.version, step: done });
    const limits = `set local search_path to pg_catalog;\nset local lock_timeout = ${lockTimeoutMs};`;
    const sql = ['begin;', limits, begin, ...texts, last, 'commit;'].join('\n');
    parts.push({ what: titles.join('; '), sql });
    texts = [];
    titles = [];
    done = reached;
  }

  for (const migration of code.migrations.filter(({ version }) => version > found.version)) {
    const isDone = migration.version <= found.step;
    titles.push(titleOf(migration));
    if (!isDone && migration.sql !== undefined) texts.push(migration.sql(s));
    const indexes = migration.indexes ?? [];
    if (isNew) texts.push(...indexes.map((index) => indexSql(s, index, '')));
    else if (indexes.length > 0) {
      // Not known to be finished, where the tables are there already: an index that is there stays.
      if (!isDone) {
        endTransaction(migration.version, `update ${s}.meta set step = ${migration.version};`);
      }
      parts.push(...indexes.flatMap((index) => builtBeside(s, index, found.brokenIndexes)));
    }
  }
  titles.push('functions and rights');
  texts.push(code.functions(s), grantsSql(schema));
  endTransaction(
    versionOf(code),
    `update ${s}.meta set version = ${versionOf(code)}, step = null, works_from = ${worksFromOf(code)}, migrated_at = clock_timestamp();`,
  );
  return parts;
}

function titleOf({ version, what }: Migration): string {
  return `${version}: ${what}`;
}

const META = (s: string, exists: boolean): string =>
  // Only where it is missing: creating a schema needs a right that using one does not.
  `${exists ? '' : `create schema ${s};\n`}create table ${s}.meta (
  version integer not null,
  -- The lowest version of the code that works with the schema as it is.
  works_from integer not null,
  -- The last step that has been carried out, while a migration is under way; null: all steps of the version are.
  step integer,
  migrated_at timestamptz not null
);
insert into ${s}.meta values (0, 1, null, clock_timestamp());`;

/** Nobody waits for it but readers of catalogues. An index whose building was interrupted is built anew. */
function builtBeside(s: string, index: MigrationIndex, broken: readonly string[]): Part[] {
  const drop = {
    what: `${index.name} was not finished`,
    sql: `drop index concurrently ${s}.${index.name};`,
  };
  const build = { what: index.name, sql: indexSql(s, index, 'concurrently if not exists ') };
  return broken.includes(index.name) ? [drop, build] : [build];
}

function indexSql(s: string, { name, unique, on }: MigrationIndex, how: string): string {
  return `create ${unique ? 'unique ' : ''}index ${how}${name} on ${s}.${on};`;
}

/** The lock that every migration of this schema takes. */
export function lockKey(schema: string): string {
  return `hashtextextended('redrive schema ${schema}', 7)`;
}

/** Does not wait for the lock: a transaction that waits would keep an index from being finished. */
function guard(
  schema: string,
  expected: { readonly version: number; readonly step: number } | undefined,
): string {
  const changed =
    expected === undefined
      ? `to_regclass('"${schema}".meta') is not null`
      : `not exists (select from "${schema}".meta m where m.version = ${expected.version}${expected.step === expected.version ? '' : ` and m.step = ${expected.step}`})`;
  return `do $guard$ begin
  if not pg_try_advisory_xact_lock(${lockKey(schema)}) then
    raise exception 'another process migrates the schema ${schema} at this moment: try again when it is done';
  end if;
  if ${changed} then
    raise exception 'the schema ${schema} is not as it was when this was made: print it again';
  end if;
end $guard$;`;
}

/**
 * Roles that may use the jobs may use new tables and sequences in the same way: functions that they call all day read them,
 * also in processes of an older version.
 */
function grantsSql(schema: string): string {
  return `do $grants$
    declare
      g record;
    begin
      for g in
        select case t.relkind when 'S' then 'sequence ' else '' end || t.oid::regclass as new_one, a.privilege_type,
          case when a.grantee = 0 then 'public' else a.grantee::regrole::text end as grantee
        from pg_class t cross join pg_class j cross join lateral aclexplode(j.relacl) a
        where t.relnamespace = '"${schema}"'::regnamespace and t.relkind = j.relkind and t.relacl is null
          and j.oid in ('"${schema}".jobs'::regclass, '"${schema}".job_seq'::regclass)
      loop
        execute format('grant %s on %s to %s', g.privilege_type, g.new_one, g.grantee);
      end loop;
    end $grants$;`;
}
