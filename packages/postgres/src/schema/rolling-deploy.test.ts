import type { FullStore } from '@redrive/durable';
import { jobsOn } from '@redrive/durable';
import { pauses, resumeWork } from '@redrive/durable/control';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { claimOf, enqueueOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';
import {
  CURRENT_SCHEMA,
  type Migration,
  SCHEMA_VERSION,
  type SchemaCode,
  worksFromOf,
} from './migrations.ts';

const server = testServer(NO_SYNC);
const N = SCHEMA_VERSION;
const WORKS_FROM = worksFromOf(CURRENT_SCHEMA);

/** The next version: a table, a column, an index over all jobs, and functions of which one is new and one another one. */
function nextVersion(more: Partial<Migration> = {}): SchemaCode {
  const planted: Migration = {
    version: N + 1,
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

const open = (schema: string, code?: SchemaCode, url = server.url): Promise<FullStore> =>
  openMade(
    url,
    { schema, onWarning: () => {} },
    { audit: true, ...(code === undefined ? {} : { code }) },
  );

/** The next version: an index over all jobs. */
const NEXT_INDEX: SchemaCode = {
  migrations: [
    ...CURRENT_SCHEMA.migrations,
    {
      version: N + 1,
      what: 'planted',
      indexes: [{ name: 'jobs_planted', on: 'jobs (worker) where worker is not null' }],
    },
  ],
  functions: CURRENT_SCHEMA.functions,
};

/** A process with a worker, which says who has done a job. */
async function processOf(schema: string, name: string, code?: SchemaCode) {
  const store = await open(schema, code);
  const jobs = jobsOn(store, { work: async () => name }, { worker: name });
  await jobs.start();
  return {
    store,
    jobs,
    async end() {
      await jobs.stop();
      await store.close();
    },
  };
}

const versionIn = async (schema: string): Promise<unknown> =>
  (await server.sql(`select version, works_from from ${schema}.meta`))[0];

describe('a rolling deploy', () => {
  it('version N and N+1 work at once on one database, N restarts, then N+1 is rolled back', async () => {
    const schema = server.newSchema();
    const before = await processOf(schema, 'N');
    const next = await processOf(schema, 'N+1', nextVersion());
    expect(await versionIn(schema)).toEqual({ version: N + 1, works_from: WORKS_FROM });

    // Each does jobs that the other one has accepted, and those of its own.
    const ids = [
      ...(await Promise.all(Array.from({ length: 20 }, () => before.jobs.enqueue('work', null)))),
      ...(await Promise.all(Array.from({ length: 20 }, () => next.jobs.enqueue('work', null)))),
    ];
    const results = await Promise.all(ids.map((id) => next.jobs.wait(id)));
    expect(results.every((by) => by === 'N' || by === 'N+1')).toBe(true);
    await next.jobs.stop();
    expect(await before.jobs.wait(await next.jobs.enqueue('work', null))).toBe('N');
    await next.jobs.start();
    await before.end();

    const restarted = await processOf(schema, 'N again');
    await next.jobs.stop();
    expect(await next.jobs.wait(await next.jobs.enqueue('work', null))).toBe('N again');

    await next.store.close();
    await restarted.end();
    const back = await processOf(schema, 'N at last');
    expect(await back.jobs.wait(await back.jobs.enqueue('work', null))).toBe('N at last');
    const { groups } = await back.store.counts();
    expect(groups).toMatchObject([{ handler: 'work', state: 'succeeded', count: 43 }]);
    await back.end();
    expect(await versionIn(schema)).toEqual({ version: N + 1, works_from: WORKS_FROM });
    // Older processes call the newer functions.
    expect(await server.sql(`select count(*) > 2 as called from ${schema}.planted`)).toEqual([
      { called: true },
    ]);
  });

  it('a schema without its older part refuses processes that need it, and says from which version on it works', async () => {
    const schema = server.newSchema();
    await (await open(schema, nextVersion({ worksFrom: N + 1 }))).close();
    const refused = open(schema);
    await expect(refused).rejects.toMatchObject({
      code: 'schema_too_new',
      details: { version: N + 1, worksFrom: N + 1, known: N },
    });
    await expect(refused).rejects.toThrow(
      `has version ${N + 1}, and works with processes from version ${N + 1} on; this process has version ${N}. Upgrade this process`,
    );
    await (await open(schema, nextVersion({ worksFrom: N + 1 }))).close();
  });

  it('indexes are built while others write, and one that was interrupted is built anew', async () => {
    const schema = server.newSchema();
    const store = await open(schema);
    await store.apply([enqueueOf('a')]);
    const writing = new Client({ connectionString: server.url });
    await writing.connect();
    // An index is finished when those transactions are that were there before it.
    await writing.query(`begin; update ${schema}.jobs set cause = cause`);

    const migrating = open(schema, NEXT_INDEX).then(
      (opened) => opened.close(),
      (error: unknown) => error,
    );
    await server.someoneWaits();
    expect(await store.apply([enqueueOf('b')])).toMatchObject([{ ok: true }]);
    await server.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like 'create index concurrently%'`,
    );
    expect(await migrating).toMatchObject({ code: 'store_unavailable' });
    const valid = `select indisvalid as valid from pg_index where indexrelid = '${schema}.jobs_planted'::regclass`;
    expect(await server.sql(valid)).toEqual([{ valid: false }]);
    expect(await versionIn(schema)).toEqual({ version: N, works_from: WORKS_FROM });
    await writing.query('commit');
    await writing.end();

    await (await open(schema, NEXT_INDEX)).close();
    expect(await server.sql(valid)).toEqual([{ valid: true }]);
    expect(await versionIn(schema)).toEqual({ version: N + 1, works_from: WORKS_FROM });
    expect(await store.apply([enqueueOf('c')])).toMatchObject([{ ok: true }]);
    await store.close();
  });

  it('a migration that waits for a table lets others through now and then, and goes on when the table is free', async () => {
    const schema = server.newSchema();
    const short = { schema, timeoutMs: 1_000, onWarning: () => {} };
    const store = await openMade(server.url, short, { audit: true });
    const writing = new Client({ connectionString: server.url });
    await writing.connect();
    await writing.query(`begin; lock table ${schema}.jobs in row exclusive mode`);
    const migrating = openMade(server.url, short, { audit: true, code: nextVersion() });
    for (const id of ['a', 'b', 'c', 'd']) {
      await server.someoneWaits();
      expect(await store.apply([enqueueOf(id)])).toMatchObject([{ ok: true }]);
    }
    await writing.query('commit');
    await writing.end();
    await (await migrating).close();
    await store.close();
    expect(await versionIn(schema)).toEqual({ version: N + 1, works_from: WORKS_FROM });
  });
});

/** The last version with a table of pauses, and its functions that used the table. */
const VERSION_14: SchemaCode = {
  migrations: CURRENT_SCHEMA.migrations.filter(({ version }) => version <= 14),
  functions: (s) => `${CURRENT_SCHEMA.functions(s)}
    create or replace function ${s}.write_stops() returns void language plpgsql volatile as $$
    declare
      v_killed text[] := array(select c.key from ${s}.controls c where c.kind = 'kill');
    begin
      update ${s}.stops set
        queues = array(select p.name from ${s}.pauses p where p.scope = 'queue'
          union select substr(k.key, 7) from unnest(v_killed) as k(key) where starts_with(k.key, 'queue:')),
        handlers = array(select p.name from ${s}.pauses p where p.scope = 'handler'
          union select substr(k.key, 11) from unnest(v_killed) as k(key) where starts_with(k.key, 'operation:')),
        tenants = array(select substr(k.key, 8) from unnest(v_killed) as k(key) where starts_with(k.key, 'tenant:')),
        everything = 'all' = any(v_killed);
    end $$;
    create or replace function ${s}.pause(
      p_now bigint, p_paused boolean, p_scope text, p_name text, p_by text, p_why text, out changed boolean)
    language plpgsql volatile as $$
    begin
      if p_paused then
        insert into ${s}.pauses (scope, name, since, paused_by, why) values (p_scope, p_name, p_now, p_by, p_why)
        on conflict do nothing;
      else
        delete from ${s}.pauses where scope = p_scope and name = p_name;
      end if;
      changed := found;
      if changed then
        perform ${s}.rise(0);
        perform ${s}.write_stops();
      end if;
    end $$;`,
};

it('pauses of version 14 become control documents, and its processes go on reading and writing them', async () => {
  const schema = server.newSchema();
  const before = await open(schema, VERSION_14);
  await before.apply([enqueueOf('a', { queue: 'slow' })]);
  await server.sql(
    `create role reader; grant usage on schema ${schema} to reader; grant select on all tables in schema ${schema} to reader`,
  );
  const old = new Client({ connectionString: server.url });
  await old.connect();
  const change = async (values: readonly unknown[]): Promise<unknown> => {
    const call = `select changed from ${schema}.pause($1, $2, $3, $4, $5, $6)`;
    return (await old.query({ name: 'pause', text: call, values: [...values] })).rows[0]?.changed;
  };
  // The statements of version 14, prepared before the migration.
  const documents = `select 'control', c.kind, c.key, c.revision::text, c.document, null from ${schema}.controls c
    union all select 'pause', p.* from (select scope, name, since::text, paused_by, why from ${schema}.pauses order by since, scope, name) p`;
  const read = async (): Promise<unknown[]> => {
    await old.query({ name: 'controls', text: documents });
    const text = `select scope, name, since::text, paused_by, why from ${schema}.pauses order by since, scope, name`;
    return (await old.query({ name: 'pauses', text, rowMode: 'array' })).rows;
  };
  expect(await change([1, true, 'queue', 'slow', 'ann', null])).toBe(true);
  expect(await change([2, true, 'handler', 'mail', 'bob', 'a "full" disk'])).toBe(true);
  const rows = [
    ['queue', 'slow', '1', 'ann', null],
    ['handler', 'mail', '2', 'bob', 'a "full" disk'],
  ];
  expect(await read()).toEqual(rows);

  const next = await open(schema);
  expect(await versionIn(schema)).toEqual({ version: N, works_from: WORKS_FROM });
  expect(await pauses(next)).toEqual([
    { scope: 'handler', name: 'mail', sinceMs: 2, by: 'bob', why: 'a "full" disk' },
    { scope: 'queue', name: 'slow', sinceMs: 1, by: 'ann' },
  ]);
  expect(await next.controls()).toMatchObject({
    revision: 4,
    all: [{ revision: 4 }, { revision: 3 }],
  });
  const claimed = async () => (await next.apply([claimOf()]))[0].jobs.map(({ id }) => id);
  expect(await claimed()).toEqual([]);
  await old.query('set role reader');
  expect(await read()).toEqual(rows);
  await old.query('reset role');

  // Version 14 pauses and resumes, and sees the pauses of the next version.
  expect(await change([3, true, 'queue', 'slow', 'ann', null])).toBe(false);
  expect(await change([3, false, 'queue', 'slow', 'ann', null])).toBe(true);
  expect(await change([3, true, 'queue', 'slow', 'ann', null])).toBe(true);
  expect(await claimed()).toEqual([]);
  expect(await change([3, false, 'queue', 'slow', 'ann', null])).toBe(true);
  expect(await change([3, false, 'queue', 'slow', 'ann', null])).toBe(false);
  expect(await change([3, true, 'queue', 'late', 'ann', 'why'])).toBe(true);
  await resumeWork(next, { scope: 'handler', name: 'mail', actor: { name: 'test' } });
  expect(await pauses(next)).toEqual([
    { scope: 'queue', name: 'late', sinceMs: 3, by: 'ann', why: 'why' },
  ]);
  expect(await read()).toEqual([['queue', 'late', '3', 'ann', 'why']]);
  expect(await claimed()).toEqual(['a']);
  await old.end();
  await before.close();
  await next.close();
});
