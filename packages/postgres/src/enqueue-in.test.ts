import type { Store } from '@redrive/durable';
import { blockHash } from '@redrive/durable/store';
import { Client, Pool, type QueryResult } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enqueueIn, enqueueManyIn } from './enqueue-in.ts';
import { onceIn } from './once-in.ts';
import { sqlExecutor } from './sql-executor.ts';
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

describe('through sqlExecutor', () => {
  /** As drivers and ORMs differ: rows are objects or lists, alone or in a result. Each prepares every statement. */
  const FORMS: Readonly<Record<string, (given: QueryResult) => unknown>> = {
    'objects in a result': (result) => result,
    objects: ({ rows }) => rows,
    lists: ({ rows }) => rows.map((row) => Object.values(row)),
  };
  const executor = (form: (given: QueryResult) => unknown) =>
    sqlExecutor(async (text, values) => {
      expect(values.filter((value) => value !== null && typeof value !== 'string')).toEqual([]);
      const numbers = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number));
      expect(numbers).toEqual(values.map((_, at) => at + 1));
      const prepared = { text, values, queryMode: 'extended' };
      return form(await client.query(prepared));
    });

  it.each(Object.keys(FORMS))('a refused job is reported as refused: rows as %s', async (form) => {
    const sql = executor(FORMS[form] ?? String);
    await store.apply([enqueueOf('first', { uniqueKey: 'k' })]);
    await client.query('begin');
    const put = (id: string, onConflict: 'existing' | 'refuse' | 'replace') =>
      enqueueIn(sql, enqueueOf(id, { uniqueKey: 'k', onConflict }), { schema });
    expect(await put('x', 'refuse')).toEqual({
      ok: false,
      id: 'first',
      refusal: 'unique_conflict',
    });
    expect(await put('x', 'existing')).toEqual({ ok: true, id: 'first', outcome: 'existing' });
    const made = await enqueueIn(sql, enqueueOf('own'), { schema });
    expect(made).toEqual({ ok: true, id: 'own', outcome: 'created' });
    await client.query('commit');
    expect(await store.job('x')).toBeUndefined();
    expect(await store.job('own')).toMatchObject({ state: 'ready' });
  });

  it('many jobs are enqueued in one statement, with a result for each', async () => {
    const sql = executor(({ rows }) => rows);
    await store.apply([enqueueOf('first', { uniqueKey: 'k' })]);
    await client.query('begin');
    const results = await enqueueManyIn(
      sql,
      [
        enqueueOf('a'),
        enqueueOf('b', { uniqueKey: 'k', onConflict: 'refuse' }),
        enqueueOf('c', { queue: 'other' }),
      ],
      { schema },
    );
    expect(await enqueueManyIn(sql, [], { schema })).toEqual([]);
    await client.query('commit');
    expect(results).toEqual([
      { ok: true, id: 'a', outcome: 'created' },
      { ok: false, id: 'first', refusal: 'unique_conflict' },
      { ok: true, id: 'c', outcome: 'created' },
    ]);
    expect(await store.job('b')).toBeUndefined();
    expect(await store.job('c')).toMatchObject({ state: 'ready', queue: 'other' });
  });

  it('too many jobs are refused before anything is sent', async () => {
    const sql = sqlExecutor(() => expect.unreachable());
    const many = Array.from({ length: 10_001 }, () => enqueueOf('a'));
    await expect(enqueueManyIn(sql, many, { schema })).rejects.toMatchObject({
      code: 'invalid_job',
      message: 'enqueueManyIn takes a list of at most 10000 commands, not 10001',
    });
  });

  it('a run of onceIn that fails loses its writes, and the transaction continues', async () => {
    const sql = executor(({ rows }) => rows);
    await client.query('create temp table effects (name text)');
    await client.query('begin');
    const failing = onceIn(
      sql,
      { key: 'k' },
      async () => {
        await client.query("insert into effects values ('lost')");
        throw new Error('no money');
      },
      { schema },
    );
    await expect(failing).rejects.toThrow('no money');
    const done = () =>
      onceIn(sql, { key: 'k' }, () => client.query("insert into effects values ('kept')"), {
        schema,
      });
    await done();
    await done();
    await client.query('commit');
    expect((await client.query('select name from effects')).rows).toEqual([{ name: 'kept' }]);
  });

  it('without a transaction nothing is enqueued', async () => {
    const sql = executor(({ rows }) => rows);
    for (const early of [
      enqueueIn(sql, enqueueOf('early'), { schema }),
      onceIn(sql, { key: 'k' }, () => expect.unreachable(), { schema }),
    ]) {
      await expect(early).rejects.toMatchObject({ code: 'not_in_transaction' });
    }
  });

  it('anything but a function is refused', () => {
    // @ts-expect-error what plain JavaScript may pass
    expect(() => sqlExecutor(client)).toThrow('sqlExecutor takes a function (sql, params)');
  });

  it.each<[string, (rows: readonly object[]) => unknown]>([
    ['nothing', () => undefined],
    ['a number', () => 1],
    ['no rows', () => []],
    ['a parsed column', () => [{ answer: { outcomes: ['created'] } }]],
    ['a text that is not JSON', () => [{ answer: 'created' }]],
    ['another name', (rows) => rows.map((row) => ({ Answer: Object.values(row)[0] }))],
    ['an empty list', () => [[]]],
  ])('an answer that cannot be read is an error: %s', async (_, answer) => {
    await client.query('begin');
    const odd = sqlExecutor(async (text, values) => {
      const { rows } = await client.query(text, values);
      return text.startsWith('select') ? answer(rows) : rows;
    });
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
