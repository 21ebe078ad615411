import { readFileSync } from 'node:fs';
import { pauseWork, resumeWork } from '@redrive/durable/control';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import type { PostgresStoreOptions } from '../options.ts';
import {
  claimOf,
  controlOf,
  enqueueOf,
  killOf,
  settleOf,
  succeededOf,
} from '../testing/commands.ts';
import { nextSchema } from '../testing/next-schema.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';
import { SCHEMA_VERSION } from './migrations.ts';

const server = testServer(NO_SYNC);
const quiet = { onWarning: () => {} };

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const [, grants = ''] = /```sql\n([^`]*)```/.exec(readme) ?? [];

const migrated = (schema: string, options: PostgresStoreOptions = {}) =>
  openMade(server.url, { schema, ...quiet, ...options }, { audit: true, code: nextSchema() });

describe('the schema', () => {
  it('is made once, however many open it at the same time', async () => {
    const schema = server.newSchema();
    const opening = Array.from({ length: 6 }, () => openMade(server.url, { schema, ...quiet }));
    const stores = await Promise.all(opening);
    await Promise.all(stores.map((store, at) => store.apply([enqueueOf(`job-${at}`)])));
    await Promise.all(stores.map((store) => store.close()));
    const rows = await server.sql(`select version from ${schema}.meta`);
    expect(rows).toEqual([{ version: SCHEMA_VERSION }]);
  });

  it('leaves nothing outside of itself', async () => {
    const schema = server.newSchema();
    const outside = `select count(*)::int as n from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public'`;
    const before = await server.sql(outside);
    await (await openMade(server.url, { schema, ...quiet })).close();
    expect(await server.sql(outside)).toEqual(before);
  });

  it('is undone as a whole where a step fails', async () => {
    const schema = server.newSchema();
    await server.sql(`create schema ${schema}; create table ${schema}.policies (n int)`);
    await expect(openMade(server.url, { schema, ...quiet })).rejects.toMatchObject({
      code: 'store_unavailable',
    });
    const tables = await server.sql(
      `select tablename from pg_tables where schemaname = '${schema}'`,
    );
    expect(tables).toEqual([{ tablename: 'policies' }]);
  });

  it('is brought up to date with the jobs that are in it, and roles keep their rights', async () => {
    const schema = server.newSchema();
    const before = await openMade(server.url, { schema, ...quiet });
    await before.apply([enqueueOf('a'), enqueueOf('b')]);
    const [{ jobs }] = await before.apply([claimOf({ limit: 1 })]);
    const parked = { to: 'parked', cause: 'breaker:api', dueInMs: 60_000 } as const;
    await before.apply(jobs.map((job) => settleOf(job, parked)));
    await before.close();
    await server.sql('create role earlier login');
    await server.sql(grants.replaceAll('redrive', schema).replaceAll('app', 'earlier'));

    await (await migrated(schema)).close();
    const url = server.url.replace('postgres@', 'earlier@');
    const store = await openMade(url, { schema, ...quiet });
    expect(await store.parks()).toEqual([{ cause: 'breaker:api', count: 1, bounded: false }]);
    const [engaged, none] = await store.apply([killOf('queue:default'), claimOf()]);
    expect(engaged).toEqual({ ok: true, revision: 1 });
    expect(none.jobs).toEqual([]);
    await store.apply([controlOf('kill', 'queue:default', 1, undefined)]);
    const [claim] = await store.apply([claimOf()]);
    expect(claim.jobs.map(({ id }) => id)).toEqual(['b']);
    expect(await store.auditBlocks(0, 10)).not.toEqual([]);
    await store.close();
    // Functions of the next version write it, with the rights of the role.
    const written = `select count(*) > 0 as written from ${schema}.planted`;
    expect(await server.sql(written)).toEqual([{ written: true }]);
  });

  it('may take longer to bring up to date than any other call, and others wait for it', async () => {
    const schema = server.newSchema();
    await (await openMade(server.url, { schema, ...quiet })).close();
    // As with very many jobs.
    await server.sql(`create function public.wait_a_while() returns event_trigger language plpgsql as
        'begin perform pg_catalog.pg_sleep(1.2); end';
      create event trigger slow on ddl_command_start when tag in ('ALTER TABLE')
        execute function public.wait_a_while()`);
    try {
      const short = { timeoutMs: 1_000 };
      const hurried = migrated(schema, { ...short, migrationTimeoutMs: 1_000 });
      await expect(hurried).rejects.toMatchObject({ code: 'store_unavailable' });
      expect(await server.sql(`select version from ${schema}.meta`)).toEqual([
        { version: SCHEMA_VERSION },
      ]);

      const stores = await Promise.all([1, 2].map(() => migrated(schema, short)));
      const rows = await server.sql(`select version from ${schema}.meta`);
      expect(rows).toEqual([{ version: SCHEMA_VERSION + 1 }]);
      await Promise.all(stores.map((store) => store.close()));
    } finally {
      await server.sql('drop event trigger slow; drop function public.wait_a_while()');
    }
  });
});

describe('a role without rights', () => {
  it('is told what is denied and what to grant, not that the store is unavailable', async () => {
    const schema = server.newSchema();
    await (await openMade(server.url, { schema, ...quiet })).close();
    await server.sql('create role outsider login');
    const url = server.url.replace('postgres@', 'outsider@');
    const opened = openMade(url, { schema, ...quiet });
    await expect(opened).rejects.toMatchObject({ code: 'store_forbidden' });
    await expect(opened).rejects.toThrow(/permission denied for .+\. Grant the role its rights/);
    const stranger = openMade(server.url.replace('postgres@', 'stranger@'), { schema, ...quiet });
    await expect(stranger).rejects.toMatchObject({ code: 'store_forbidden' });
    await expect(stranger).rejects.toThrow(/refuses the login: role "stranger" does not exist/);
  });
});

describe('a role that may only use it', () => {
  it('can do everything but make it', async () => {
    const schema = server.newSchema();
    await (await openMade(server.url, { schema, ...quiet })).close();
    await server.sql(`create role app login`);
    await server.sql(grants.replaceAll('redrive', schema));
    const url = server.url.replace('postgres@', 'app@');
    const client = new Client({ connectionString: url });
    await client.connect();
    await expect(client.query('create schema other')).rejects.toThrow('permission denied');
    await client.end();

    const store = await openMade(url, { schema, ...quiet });
    await store.apply([enqueueOf('a', { uniqueKey: 'k', limitKey: 'l' }), enqueueOf('b')]);
    const [claim] = await store.apply([claimOf()]);
    expect(await store.heartbeat(claim.jobs, 1_000)).toEqual(['held', 'held']);
    await store.apply(claim.jobs.map(succeededOf));
    const actor = { name: 'test' };
    await store.apply([{ kind: 'tick', limit: 10, actor }]);
    await pauseWork(store, { scope: 'queue', name: 'q', actor });
    await store.apply([{ kind: 'act', act: 'purge', id: 'a', actor }]);
    await resumeWork(store, { scope: 'queue', name: 'q', actor });
    expect(await store.failing({ atMost: 10 })).toEqual({ jobs: [], bounded: false });
    expect(await store.leasesOf('worker-1', 10)).toEqual([]);
    expect((await store.jobs({}, { limit: 10 })).jobs).toHaveLength(1);
    await store.close();

    const missing = openMade(url, { schema: server.newSchema(), ...quiet });
    await expect(missing).rejects.toMatchObject({ code: 'store_forbidden' });
    await expect(missing).rejects.toThrow('permission denied');
  });
});
