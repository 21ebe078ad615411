import { Client, Pool } from 'pg';
import { expect, it } from 'vitest';
import { claimOf, enqueueOf, ids, succeededOf } from './testing/commands.ts';
import { openMade } from './testing/open-made.ts';
import { testServer } from './testing/server.ts';

const server = testServer();

it('a pool of two, held by handlers, keeps neither heartbeats nor settlements waiting', async () => {
  const pool = new Pool({ connectionString: server.url, max: 2 });
  const store = await openMade({ pool }, { schema: server.newSchema(), timeoutMs: 2_000 });
  await store.apply(ids(50).map((id) => enqueueOf(id)));
  const [{ jobs }] = await store.apply([claimOf({ limit: 50 })]);
  // All of the pool is taken; everybody else waits for it.
  const held = [await pool.connect(), await pool.connect()];
  const waiting = jobs.map(() => pool.connect());
  expect(pool.waitingCount).toBe(50);

  expect(await store.heartbeat(jobs, 30_000)).toEqual(jobs.map(() => 'held'));
  expect(await store.apply(jobs.map(succeededOf))).toEqual(jobs.map(() => ({ ok: true })));
  expect(await store.pulse(['mail'])).toMatchObject({ ready: false });
  expect(await store.expiredLeases(10)).toEqual([]);
  expect(pool.totalCount).toBe(2);

  for (const client of held) client.release();
  for (const client of waiting) (await client).release();
  await store.close();
  await pool.end();
});

it('a pool’s settings are the store’s: its password, its class of clients, its application name', async () => {
  const made: string[] = [];
  class OwnClient extends Client {
    constructor(config?: ConstructorParameters<typeof Client>[0]) {
      super(config);
      made.push('own');
    }
  }
  const { host, port, user } = server.service;
  // The types want a class without parameters; the pool gives its options.
  const pool = new Pool({
    host,
    port,
    user,
    password: () => 'anything',
    database: 'postgres',
    application_name: 'the application',
    Client: OwnClient,
  });
  const schema = server.newSchema();
  const store = await openMade({ pool }, { schema });
  await store.counts();
  await store.apply([enqueueOf('a')]);
  const rows = await server.sql(
    "select count(*)::int as n from pg_stat_activity where application_name = 'the application'",
  );
  // A third one, that tells others of it, may be there by now.
  expect(rows[0]?.n).toBeGreaterThanOrEqual(2);
  expect(made.length).toBeGreaterThanOrEqual(2);
  expect(pool.totalCount).toBe(0);
  await store.close();
  await pool.end();
});

it('a store that is closed leaves no connection behind', async () => {
  const pool = new Pool({ connectionString: server.url, application_name: 'leaving' });
  const store = await openMade({ pool }, { schema: server.newSchema() });
  const stop = store.watch(() => {});
  await store.apply([enqueueOf('a', { uniqueKey: 'k' }), claimOf()]);
  await store.heartbeat([{ id: 'a', token: 1 }], 1_000);
  stop();
  await store.close();
  await store.close();
  await pool.end();
  const gone = "select count(*)::int as n from pg_stat_activity where application_name = 'leaving'";
  // The server takes a moment to let a session go that has said goodbye.
  let left = -1;
  for (let look = 0; look < 100 && left !== 0; look += 1) {
    const [row] = await server.sql(gone);
    left = Number(row?.n);
  }
  expect(left).toBe(0);
});
