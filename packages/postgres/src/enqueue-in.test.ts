import type { Store } from '@redrive/durable';
import { blockHash } from '@redrive/durable/store';
import { Client, Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enqueueIn } from './enqueue-in.ts';
import { claimOf, enqueueOf, succeededOf } from './testing/commands.ts';
import { openMade } from './testing/open-made.ts';
import { testServer } from './testing/server.ts';

const server = testServer();

let schema: string;
let store: Store;
let client: Client;

beforeEach(async () => {
  schema = server.newSchema();
  store = await openMade(server.url, { schema, timeoutMs: 3_000 });
  client = new Client({ connectionString: server.url });
  await client.connect();
});

afterEach(async () => {
  await client.end();
  await store.close();
});

describe('through a client with object rows, as programs make one of Kysely or Prisma', () => {
  /** Both take a text and parameters, and answer with objects; in one of two columns with the same name, one is lost. */
  const objectRows = (of: Client) => ({
    query: async (statement: string | { text: string; values: unknown[] }) => {
      const { text, values } =
        typeof statement === 'string' ? { text: statement, values: [] } : statement;
      const { rows } = await of.query(text, values);
      return { rows: rows as Readonly<Record<string, unknown>>[] };
    },
  });

  it('a refused job is reported as refused', async () => {
    await store.apply([enqueueOf('first', { uniqueKey: 'k' })]);
    await client.query('begin');
    const put = (id: string, onConflict: 'existing' | 'refuse' | 'replace') =>
      enqueueIn(objectRows(client), enqueueOf(id, { uniqueKey: 'k', onConflict }), { schema });
    expect(await put('x', 'refuse')).toEqual({
      ok: false,
      id: 'first',
      refusal: 'unique_conflict',
    });
    expect(await put('x', 'existing')).toEqual({ ok: true, id: 'first', outcome: 'existing' });
    const made = await enqueueIn(objectRows(client), enqueueOf('own'), { schema });
    expect(made).toEqual({ ok: true, id: 'own', outcome: 'created' });
    await client.query('commit');
    expect(await store.job('x')).toBeUndefined();
    expect(await store.job('own')).toMatchObject({ state: 'ready' });
  });

  it('a client that prepares every statement, as the one of Prisma does, enqueues', async () => {
    const prepared = {
      query: (statement: string | { text: string; values: unknown[] }) => {
        const { text, values } =
          typeof statement === 'string' ? { text: statement, values: [] } : statement;
        const prepare = { text, values, queryMode: 'extended' };
        return client.query(prepare);
      },
    };
    await expect(enqueueIn(prepared, enqueueOf('early'), { schema })).rejects.toMatchObject({
      code: 'not_in_transaction',
    });
    await client.query('begin');
    const made = await enqueueIn(prepared, enqueueOf('own'), { schema });
    expect(made).toEqual({ ok: true, id: 'own', outcome: 'created' });
    await client.query('commit');
    expect(await store.job('own')).toMatchObject({ state: 'ready' });
  });

  it.each<[string, (rows: readonly object[]) => unknown]>([
    ['nothing', () => undefined],
    ['rows alone', (rows) => rows],
    ['no rows', () => ({ rows: [] })],
    [
      'parsed columns',
      (rows) => ({ rows: rows.map(() => ({ outcomes: ['created'], ids: ['x'] })) }),
    ],
    ['other names', (rows) => ({ rows: rows.map((row) => ({ Outcomes: row, Ids: row })) })],
    ['too few columns', () => ({ rows: [['["created"]']] })],
  ])('an answer that cannot be read is an error: %s', async (_, answer) => {
    await client.query('begin');
    const inner = objectRows(client);
    const odd = {
      query: async (statement: Parameters<typeof inner.query>[0]) => {
        const { rows } = await inner.query(statement);
        return typeof statement === 'string' ? { rows } : answer(rows);
      },
    };
    await expect(enqueueIn(odd, enqueueOf('a'), { schema })).rejects.toMatchObject({
      code: 'store_unsupported',
      message: expect.stringMatching(
        /^enqueueIn cannot read the answer of this client: .* roll the transaction back\.$/,
      ),
    });
    await client.query('rollback');
  });
});

describe('a job enqueued in the caller’s transaction', () => {
  it('is there when it commits, and not before', async () => {
    await client.query('begin');
    const result = await enqueueIn(client, enqueueOf('a'), { schema });
    expect(result).toEqual({ ok: true, id: 'a', outcome: 'created' });
    expect(await store.job('a')).toBeUndefined();
    const [early] = await store.apply([claimOf()]);
    expect(early.jobs).toEqual([]);
    await client.query('commit');
    expect(await store.job('a')).toMatchObject({ state: 'ready', revision: 1 });
    const [late] = await store.apply([claimOf()]);
    expect(late.jobs.map(({ id }) => id)).toEqual(['a']);
  });

  it('is not there when it is rolled back, and neither is its record', async () => {
    await client.query('begin');
    await enqueueIn(client, enqueueOf('a'), { schema });
    await client.query('rollback');
    expect(await store.job('a')).toBeUndefined();
    expect(await store.auditBlocks(0, 10)).toEqual([]);
  });

  it('has a block of its own, outside of every chain', async () => {
    await store.apply([enqueueOf('before')]);
    await client.query('begin');
    await enqueueIn(client, enqueueOf('a'), { schema });
    await client.query('commit');
    await store.apply([enqueueOf('after')]);
    const [before, leaf, after] = await store.auditBlocks(0, 10);
    expect(leaf?.prevHash).toBe('');
    expect(leaf?.hash).toBe(blockHash('', leaf?.body ?? ''));
    expect(after?.prevHash).toBe(before?.hash);
    expect((await store.job('a'))?.auditBlock).toBe(leaf?.seq);
  });

  it('answers with the job that has its unique key, and replaces it when asked', async () => {
    await store.apply([enqueueOf('first', { uniqueKey: 'k' })]);
    await client.query('begin');
    const put = (id: string, onConflict: 'existing' | 'refuse' | 'replace') =>
      enqueueIn(client, enqueueOf(id, { uniqueKey: 'k', onConflict, priority: 7 }), { schema });
    expect(await put('x', 'existing')).toEqual({ ok: true, id: 'first', outcome: 'existing' });
    const refused = { ok: false, id: 'first', refusal: 'unique_conflict' };
    expect(await put('x', 'refuse')).toEqual(refused);
    expect(await put('x', 'replace')).toEqual({ ok: true, id: 'first', outcome: 'replaced' });
    await client.query('commit');
    expect(await store.job('first')).toMatchObject({ priority: 7, revision: 2 });
  });

  it('holds up no end of the job that has its unique key', async () => {
    await store.apply([enqueueOf('first', { uniqueKey: 'k' })]);
    const [{ jobs }] = await store.apply([claimOf()]);
    await client.query('begin');
    for (const onConflict of ['existing', 'refuse', 'replace'] as const) {
      await enqueueIn(client, enqueueOf('x', { uniqueKey: 'k', onConflict }), { schema });
    }
    expect(await store.apply(jobs.map(succeededOf))).toEqual([{ ok: true }]);
    await client.query('commit');
  });

  it('makes nobody wait but who wants the same unique key', async () => {
    await client.query('begin');
    await enqueueIn(client, enqueueOf('mine', { uniqueKey: 'k' }), { schema });
    const waiting = store.apply([enqueueOf('theirs', { uniqueKey: 'k' })]);
    await store.apply([enqueueOf('other')]);
    const [claim] = await store.apply([claimOf()]);
    expect(claim.jobs.map(({ id }) => id)).toEqual(['other']);
    await client.query('commit');
    expect(await waiting).toEqual([{ ok: true, id: 'mine', outcome: 'existing' }]);
  });

  it('makes nobody wait but who acts on the job that it replaces', async () => {
    await store.apply([enqueueOf('first'), enqueueOf('mine', { uniqueKey: 'k' })]);
    const [{ jobs }] = await store.apply([claimOf({ limit: 1 })]);
    await client.query('begin');
    const replace = { uniqueKey: 'k', onConflict: 'replace' } as const;
    await enqueueIn(client, enqueueOf('x', replace), { schema });
    const waiting = store.apply([
      { kind: 'act', act: 'cancel', id: 'mine', actor: { name: 'test' } },
    ]);
    await server.someoneWaits();
    expect(await store.apply(jobs.map(succeededOf))).toEqual([{ ok: true }]);
    const [claim] = await store.apply([claimOf()]);
    expect(claim.jobs).toEqual([]);
    await client.query('commit');
    expect(await waiting).toEqual([{ ok: true, state: 'cancelled' }]);
  });

  it('is found by workers who are told of the commit', async () => {
    const told: string[] = [];
    store.watch((change) => told.push(change));
    await client.query('begin');
    await enqueueIn(client, enqueueOf('a'), { schema });
    await client.query('commit');
    expect(told).toEqual([]);
    store.committed();
    expect(told).toEqual(['ready']);
  });
});

describe('outside of a transaction', () => {
  it('it is refused', async () => {
    const refused = { code: 'not_in_transaction' };
    await expect(enqueueIn(client, enqueueOf('a'), { schema })).rejects.toMatchObject(refused);
    await client.query('begin');
    await client.query('select 1 / 0').catch(() => {});
    await expect(enqueueIn(client, enqueueOf('a'), { schema })).rejects.toMatchObject(refused);
    await client.query('rollback');
    expect(await store.job('a')).toBeUndefined();
  });

  it('it is refused for clients too that do not know their transaction', async () => {
    const old = new Proxy(client, {
      has: (target, name) => name !== 'getTransactionStatus' && Reflect.has(target, name),
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const refused = { code: 'not_in_transaction' };
    await expect(enqueueIn(old, enqueueOf('a'), { schema })).rejects.toMatchObject(refused);
    await client.query('begin');
    await enqueueIn(old, enqueueOf('a'), { schema });
    await client.query('commit');
    expect(await store.job('a')).toBeDefined();
  });
});

it('parsers that the application has set do not matter', async () => {
  const pool = new Pool({
    connectionString: server.url,
    max: 1,
    types: { getTypeParser: () => () => 'nonsense' },
  });
  const own = await pool.connect();
  await own.query('begin');
  const result = await enqueueIn(own, enqueueOf('a'), { schema });
  await own.query('commit');
  own.release();
  await pool.end();
  expect(result).toEqual({ ok: true, id: 'a', outcome: 'created' });
});
