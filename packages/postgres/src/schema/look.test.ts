import { jobsOn } from '@redrive/durable';
import { expect, it } from 'vitest';
import { openStore } from '../open-store.ts';
import { enqueueOf } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';
import { CURRENT_SCHEMA, SCHEMA_VERSION, type SchemaCode } from './migrations.ts';

const server = testServer(NO_SYNC);
const quiet = { onWarning: () => {} };

const NEXT: SchemaCode = {
  migrations: [...CURRENT_SCHEMA.migrations, { version: SCHEMA_VERSION + 1, what: 'planted' }],
  functions: CURRENT_SCHEMA.functions,
};

const relations = async (schema: string): Promise<unknown> => {
  const [row] = await server.sql(
    `select count(*)::int as n from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = '${schema}'`,
  );
  return row?.n;
};

it('looking and enqueueing make no schema: they say that it does not exist, until a worker has made it', async () => {
  const schema = server.newSchema();
  const store = await openStore(server.url, { schema, ...quiet });
  const jobs = jobsOn(store, { work: async () => 'done' });
  const calls = [
    () => store.counts(),
    () => store.controls(),
    () => store.heartbeat([{ id: 'a', token: 1 }], 1_000),
    () => store.readAudit(),
    () => store.seal(),
    () => store.ledger().reserve('k', { fingerprint: '', leaseMs: 1_000 }),
    () => store.operations({ limit: 1 }),
    () => store.apply([{ kind: 'note', event: 'read', subject: 's', detail: '{}' }]),
    () => jobs.enqueue('work', null),
  ];
  for (const call of calls) {
    await expect(call(), String(call)).rejects.toMatchObject({
      code: 'store_not_found',
      details: { schema },
    });
  }
  await expect(store.counts()).rejects.toThrow(
    /does not exist: .* A worker \("redrive start"\), .* create them/u,
  );
  const idle = jobsOn(store, { work: async () => 'done' }, { migrate: false });
  await expect(idle.start()).rejects.toMatchObject({ code: 'store_not_found' });
  expect(await relations(schema)).toBe(0);
  const [exists] = await server.sql('select 1 from pg_namespace where nspname = $1', [schema]);
  expect(exists).toBeUndefined();

  // In another process.
  const other = await openStore(server.url, { schema, ...quiet });
  const worker = jobsOn(other, { work: async () => 'done' });
  await worker.start();
  expect(await jobs.wait(await jobs.enqueue('work', null))).toBe('done');
  await worker.stop();
  await Promise.all([store.close(), other.close()]);
});

it('looking does not migrate an older schema: it says what to run', async () => {
  const schema = server.newSchema();
  await (await openMade(server.url, { schema, ...quiet })).close();
  const store = await openMade(server.url, { schema, ...quiet });
  const { openStoreWith } = await import('../open-store.ts');
  const newer = await openStoreWith(server.url, { schema, ...quiet }, { audit: true, code: NEXT });
  const old = {
    code: 'schema_too_old',
    details: { schema, version: SCHEMA_VERSION, needed: SCHEMA_VERSION + 1 },
  };
  await expect(newer.counts()).rejects.toMatchObject(old);
  await expect(newer.apply([enqueueOf('a')])).rejects.toMatchObject(old);
  await expect(newer.counts()).rejects.toThrow(
    `has version ${SCHEMA_VERSION}, and this process needs ${SCHEMA_VERSION + 1}. Run "redrive store migrate"`,
  );
  expect(await server.sql(`select version from ${schema}.meta`)).toEqual([
    { version: SCHEMA_VERSION },
  ]);
  await newer.migrate();
  await newer.apply([enqueueOf('a')]);
  expect(await store.job('a')).toMatchObject({ state: 'ready' });
  await Promise.all([store.close(), newer.close()]);
});
