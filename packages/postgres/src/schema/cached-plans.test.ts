import { Client } from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { claimOf, enqueueOf, ids } from '../testing/commands.ts';
import { openMade } from '../testing/open-made.ts';
import { NO_SYNC, testServer } from '../testing/server.ts';

const server = testServer(NO_SYNC);

let schema: string;

beforeEach(() => {
  schema = server.newSchema();
});

const open = () => openMade(server.url, { schema, onWarning: () => {} });

describe('statements prepared while the tables were empty', () => {
  it('claim no more than they are asked for when there are many jobs', async () => {
    const store = await open();
    // Postgres looks at a plan's cost some times before it settles on one; afterwards it keeps it.
    for (let round = 0; round < 10; round += 1) await store.apply([claimOf({ limit: 3 })]);
    await store.apply(ids(2_000).map((id) => enqueueOf(id)));
    await server.sql(`analyze ${schema}.jobs`);
    for (let round = 0; round < 10; round += 1) {
      const [claim] = await store.apply([claimOf({ limit: 3 })]);
      expect(claim.jobs).toHaveLength(3);
    }
    const [leased] = await server.sql(
      `select count(*)::int as n from ${schema}.jobs where state = 'leased'`,
    );
    expect(leased?.n).toBe(30);
    await store.close();
  });

  it('tick and prune no more either', async () => {
    const store = await open();
    const actor = { name: 'test' };
    const tick = { kind: 'tick', limit: 5, actor } as const;
    for (let round = 0; round < 10; round += 1) await store.apply([tick]);
    const past = { atMs: 1 };
    await store.apply(ids(500).map((id) => ({ ...enqueueOf(id), deadline: past })));
    await server.sql(`analyze ${schema}.jobs`);
    const [ticked] = await store.apply([tick]);
    expect(ticked).toMatchObject({ expired: 5, more: true });
    await store.close();
  });
});

it('the sessions of a store keep their own settings, whatever the database says', async () => {
  const database = `db_${schema}`;
  await server.sql(`create database ${database}`);
  await server.sql(`alter database ${database} set synchronous_commit = off`);
  await server.sql(`alter database ${database} set default_transaction_isolation = 'serializable'`);
  const url = new URL(server.url);
  url.pathname = `/${database}`;
  await (await openMade(url.href, { schema, onWarning: () => {} })).close();
  const admin = new Client({ connectionString: url.href });
  await admin.connect();
  // Settings of a session are seen from inside only.
  const names = ['synchronous_commit', 'transaction_isolation', 'enable_seqscan', 'jit'];
  await admin.query(`create table ${schema}.seen (name text, value text)`);
  await admin.query(`create function ${schema}.see() returns trigger language plpgsql as $$ begin
    insert into ${schema}.seen select n, current_setting(n) from unnest('{${names}}'::text[]) n;
    return null; end $$`);
  await admin.query(
    `create trigger see after insert on ${schema}.jobs execute function ${schema}.see()`,
  );
  const store = await openMade(url.href, { schema, onWarning: () => {} });
  await store.apply([enqueueOf('seen')]);
  await store.close();
  const { rows } = await admin.query<{ name: string; value: string }>(
    `select * from ${schema}.seen`,
  );
  await admin.end();
  expect(Object.fromEntries(rows.map(({ name, value }) => [name, value]))).toEqual({
    synchronous_commit: 'on',
    transaction_isolation: 'read committed',
    enable_seqscan: 'off',
    jit: 'off',
  });
});
