import type { FullStore } from '@redrive/durable';
import { jobsOn } from '@redrive/durable';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { enqueueOf } from '../testing/commands.ts';
import { nextSchema } from '../testing/next-schema.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';
import { CURRENT_SCHEMA, SCHEMA_VERSION, type SchemaCode, worksFromOf } from './migrations.ts';

const server = testServer(NO_SYNC);
const N = SCHEMA_VERSION;
const WORKS_FROM = worksFromOf(CURRENT_SCHEMA);

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
    const next = await processOf(schema, 'N+1', nextSchema());
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
    await (await open(schema, nextSchema({ worksFrom: N + 1 }))).close();
    const refused = open(schema);
    await expect(refused).rejects.toMatchObject({
      code: 'schema_too_new',
      details: { version: N + 1, worksFrom: N + 1, known: N },
    });
    await expect(refused).rejects.toThrow(
      `has version ${N + 1}, and works with processes from version ${N + 1} on; this process has version ${N}. Upgrade this process`,
    );
    await (await open(schema, nextSchema({ worksFrom: N + 1 }))).close();
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
    const migrating = openMade(server.url, short, { audit: true, code: nextSchema() });
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
