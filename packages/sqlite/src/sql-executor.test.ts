import { DatabaseSync } from 'node:sqlite';
import { jobsOn, memoryStore, type Store } from '@redrive/durable';
import { virtualClock } from '@redrive/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enqueueIn, enqueueManyIn } from './enqueue-in.ts';
import { onceIn } from './once-in.ts';
import { plainParameters, type RunSql, sqlExecutor } from './sql-executor.ts';
import { openMade } from './testing/open-made.ts';
import { type Scratch, scratch } from './testing/scratch.ts';
import { withoutThreads } from './testing/without-threads.ts';

const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
// As in a process that opens no store.
const jobs = jobsOn(memoryStore(), { mail: async (text: string | Uint8Array) => String(text) });
let place: Scratch;
let store: Store;
let db: DatabaseSync;

beforeEach(async () => {
  place = scratch();
  store = await openMade(place.path, { clock }, { audit: true, start: withoutThreads });
  db = new DatabaseSync(place.path);
  db.exec('CREATE TABLE orders (id INTEGER PRIMARY KEY)');
});

afterEach(async () => {
  db.close();
  await store.close();
  place.remove();
});

/** Rows as objects, or as lists with bigints. */
const LIBRARIES: Readonly<Record<string, RunSql>> = {
  objects: (text, params) => db.prepare(text).all(...params),
  lists(text, params) {
    const statement = db.prepare(text);
    statement.setReturnArrays(true);
    statement.setReadBigInts(true);
    return statement.all(...params);
  },
};

function inTransaction<T>(body: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = body();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

describe.each(Object.entries(LIBRARIES))('an executor that returns %s', (_, run) => {
  const prepare = (id: string, more: object = {}, payload: string | Uint8Array = 'hello') =>
    jobs.prepare('mail', payload, { id, ...more });

  it('enqueues with the commit, and writes the same rows as the connection itself', async () => {
    const large = 'x'.repeat(5_000);
    const commands = (kind: string) => [
      prepare(`${kind}-1`, { tags: ['a'], priority: 3, deadline: new Date(clock.now() + 9_000) }),
      prepare(`${kind}-2`, { delayMs: 5_000, limitKey: 'k' }),
      prepare(`${kind}-3`, { unique: { key: kind, forMs: 60_000 } }, large),
      prepare(`${kind}-4`, { queue: kind }, new Uint8Array([1, 2, 3])),
    ];
    inTransaction(() => enqueueManyIn(db, commands('own'), { clock }));
    const sql = sqlExecutor(run);
    const results = inTransaction(() => enqueueManyIn(sql, commands('lib'), { clock }));
    expect(results.map((result) => result.ok && result.outcome)).toEqual(
      results.map(() => 'created'),
    );
    const rows = (kind: string) =>
      db
        .prepare(
          `SELECT handler, tenant, priority, submitted_at, state, typeof(submitted_at), typeof(body), due_at,
             deadline_at, unique_key IS NULL, limit_key, attempts, hex(body)
           FROM jobs JOIN lanes USING (lane) WHERE id LIKE ? ORDER BY id`,
        )
        .all(`id::${kind}-%`);
    expect(rows('lib')).toEqual(rows('own'));
    expect((await store.job('id::lib-3'))?.payload).toEqual(
      (await store.job('id::own-3'))?.payload,
    );
    expect((await store.job('id::lib-4'))?.payload).toEqual(
      (await store.job('id::own-4'))?.payload,
    );
    const blocks = await store.auditBlocks(0, 10);
    expect(blocks.map(({ seq }) => seq)).toEqual([1, 2]);
    const { groups } = await store.counts();
    expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(8);
  });

  it('enqueues nothing with a roll-back, also of a savepoint', async () => {
    const sql = sqlExecutor(run);
    inTransaction(() => {
      enqueueIn(sql, prepare('kept'), { clock });
      db.exec('SAVEPOINT mine');
      enqueueIn(sql, prepare('dropped', { queue: 'new' }), { clock });
      db.exec('ROLLBACK TO mine');
      enqueueIn(sql, prepare('again', { queue: 'new' }), { clock });
    });
    expect(() =>
      inTransaction(() => {
        enqueueIn(sql, prepare('gone'), { clock });
        throw new Error('the user changed their mind');
      }),
    ).toThrow('changed their mind');
    const { jobs: stored } = await store.jobs({}, { limit: 10 });
    expect(stored.map(({ id }) => id).sort()).toEqual(['id::again', 'id::kept']);
  });

  it('answers conflicts, and replaces a job', async () => {
    const sql = sqlExecutor(run);
    const keyed = (onConflict: 'refuse' | 'replace', text: string) =>
      jobs.prepare('mail', text, { uniqueKey: 'order-17', onConflict });
    const first = keyed('refuse', 'one');
    await store.apply([first, prepare('same')]);
    const results = inTransaction(() => [
      enqueueIn(sql, keyed('refuse', 'two'), { clock }),
      enqueueIn(sql, keyed('replace', 'three'), { clock }),
      enqueueIn(sql, prepare('same', {}, 'another'), { clock }),
      enqueueIn(sql, prepare('same'), { clock }),
    ]);
    const { id } = first.job;
    expect(results).toEqual([
      { ok: false, refusal: 'unique_conflict', id },
      { ok: true, outcome: 'replaced', id },
      { ok: false, refusal: 'idempotency_conflict', id: 'id::same' },
      { ok: true, outcome: 'existing', id: 'id::same' },
    ]);
    expect((await store.job(id))?.payload).toMatchObject({ text: '"three"' });
  });

  it('runs an effect once, and undoes one that fails', () => {
    const sql = sqlExecutor(run);
    const effect = (fails = false) =>
      inTransaction(() => {
        try {
          return onceIn(sql, { key: 'charge' }, (token) => {
            db.exec('INSERT INTO orders DEFAULT VALUES');
            if (fails) throw new Error('card refused');
            return { token };
          });
        } catch {
          return 'failed';
        }
      });
    expect([effect(true), effect(), effect()]).toEqual(['failed', { token: 1 }, { token: 1 }]);
    expect(db.prepare('SELECT count(*) AS n FROM orders').get()).toEqual({ n: 1 });
  });

  it('is refused without a transaction, which stays so', () => {
    const sql = sqlExecutor(run);
    const refusal = expect.objectContaining({ code: 'not_in_transaction' });
    expect(() => enqueueIn(sql, prepare('a'))).toThrow(refusal);
    expect(() => enqueueManyIn(sql, [prepare('a')])).toThrow(refusal);
    expect(() => onceIn(sql, { key: 'a' }, () => {})).toThrow(refusal);
    expect(db.isTransaction).toBe(false);
  });

  it('is refused when another connection writes', async () => {
    const sql = sqlExecutor(run);
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM orders').get();
    await store.apply([prepare('meanwhile')]);
    expect(() => enqueueIn(sql, prepare('a'))).toThrow(/BEGIN IMMEDIATE/);
    db.exec('ROLLBACK');
  });

  it('must be as durable as the store', () => {
    db.exec('PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE');
    expect(() => enqueueIn(sqlExecutor(run), prepare('a'))).toThrow(/synchronous=FULL/);
    db.exec('ROLLBACK');
  });
});

describe('sqlExecutor refuses', () => {
  const command = jobs.prepare('mail', 'hello');
  const refused = (run: RunSql, message: RegExp) =>
    expect(() => inTransaction(() => enqueueIn(sqlExecutor(run), command))).toThrow(
      expect.objectContaining({
        code: 'store_unsupported',
        message: expect.stringMatching(message),
      }),
    );
  const real: RunSql = (text, params) => db.prepare(text).all(...params);

  it('an asynchronous driver, whose error is not left unhandled', () => {
    refused(async () => Promise.reject(new Error('late')), /must be synchronous/);
  });

  it('a function that does not return the rows', () => {
    refused(() => undefined, /must return the rows/);
    refused(() => [1], /must return the rows/);
  });

  it('a library whose SQLite can lose commits', () => {
    const old: RunSql = (text, params) =>
      text.includes('sqlite_version') ? [{ v: '3.45.1' }] : real(text, params);
    refused(old, /^enqueueIn does not write with SQLite 3\.45\.1 of your library/);
  });

  it('what is no function', () => {
    const none = undefined as unknown as RunSql; // What plain JavaScript may pass.
    expect(() => sqlExecutor(none)).toThrow(expect.objectContaining({ code: 'invalid_option' }));
  });

  it('a DatabaseSync that is not of node:sqlite', () => {
    const other = { isTransaction: true, constructor: { name: 'DatabaseSync' } };
    const given = other as unknown as DatabaseSync; // What plain JavaScript may pass.
    expect(() => enqueueIn(given, command)).toThrow(/another driver \(DatabaseSync\)/);
  });
});

describe('plainParameters', () => {
  it('orders the values of numbered parameters, and leaves texts and comments alone', () => {
    expect(plainParameters(`SELECT ?2, ?1, '?''?', ? -- what's ?\n, ?1`)).toEqual({
      text: `SELECT ?, ?, '?''?', ? -- what's ?\n, ?`,
      order: [1, 0, 2, 0],
    });
  });
});
