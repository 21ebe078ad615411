import {
  CURRENT_SCHEMA,
  type Migration,
  SCHEMA_VERSION,
  type SchemaCode,
} from '../schema/migrations.ts';

/** The next version, for tests of migrations: a table, a column, an index over all jobs, a new and a changed function. */
export function nextSchema(more: Partial<Migration> = {}): SchemaCode {
  const planted: Migration = {
    version: SCHEMA_VERSION + 1,
    what: 'planted',
    sql: (s) =>
      `create table ${s}.planted (n integer); alter table ${s}.jobs add column planted text;`,
    indexes: [{ name: 'jobs_planted', on: 'jobs (planted) where planted is not null' }],
    ...more,
  };
  return {
    migrations: [...CURRENT_SCHEMA.migrations, planted],
    functions: (s) => `${CURRENT_SCHEMA.functions(s)}
      create or replace function ${s}.check_epoch() returns void language plpgsql volatile as $$
      begin insert into ${s}.planted values (1); end $$;
      create or replace function ${s}.planted() returns integer language sql as 'select 1';`,
  };
}
