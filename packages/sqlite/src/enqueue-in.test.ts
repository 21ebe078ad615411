import { DatabaseSync } from 'node:sqlite';
import { openAccount } from '@redrive/core/stored';
import type { Store } from '@redrive/durable';
import { type EnqueueCommand, LEAF_WRITER } from '@redrive/durable/store';
import { virtualClock } from '@redrive/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enqueueIn, enqueueManyIn } from './enqueue-in.ts';
import { onceIn } from './once-in.ts';
import { openMade } from './testing/open-made.ts';
import { type Scratch, scratch } from './testing/scratch.ts';
import { withoutThreads } from './testing/without-threads.ts';

const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
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
  if (db.isOpen) db.close();
  await store.close();
  place.remove();
});

function mail(id: string, more: Partial<EnqueueCommand['job']> = {}): EnqueueCommand {
  const job = {
    id,
    handler: 'mail',
    queue: 'default',
    tenant: '',
    priority: 0,
    tags: [],
    headers: {},
    payload: { kind: 'json', text: '{}' },
    sessionId: id,
    idempotencyKey: id,
    ...more,
  } as const;
  return {
    kind: 'enqueue',
    job,
    onConflict: 'refuse',
    account: openAccount(),
    actor: { name: 'shop' },
  };
}

async function orders(): Promise<number> {
  return Number(db.prepare('SELECT count(*) AS n FROM orders').get()?.n);
}

describe('a job that was enqueued in the caller’s transaction', () => {
  it('is there when that commits, with its record, and nobody saw it before', async () => {
    db.exec('BEGIN IMMEDIATE');
    db.exec('INSERT INTO orders VALUES (17)');
    expect(enqueueIn(db, mail('job-1'), { clock })).toEqual({
      ok: true,
      id: 'job-1',
      outcome: 'created',
    });
    expect(await store.job('job-1')).toBeUndefined();
    db.exec('COMMIT');
    expect(await orders()).toBe(1);
    expect(await store.job('job-1')).toMatchObject({
      state: 'ready',
      submittedAtMs: clock.now(),
      auditBlock: 1,
    });
    expect((await store.counts()).groups).toEqual([
      { queue: 'default', handler: 'mail', state: 'ready', count: 1 },
    ]);
    const [block] = await store.auditBlocks(0, 10);
    expect(block).toMatchObject({ seq: 1, writer: LEAF_WRITER, prevHash: '' });
  });

  it('is not there when that is rolled back, and the next one is none the worse', async () => {
    db.exec('BEGIN IMMEDIATE');
    enqueueIn(db, mail('job-1', { queue: 'new' }), { clock });
    db.exec('ROLLBACK');
    expect(await store.job('job-1')).toBeUndefined();
    expect(await store.auditBlocks(0, 10)).toEqual([]);
    await store.apply([mail('other', { queue: 'other' })]);
    db.exec('BEGIN IMMEDIATE');
    enqueueIn(db, mail('job-2', { queue: 'new' }), { clock });
    db.exec('COMMIT');
    expect(await store.job('job-2')).toMatchObject({ queue: 'new' });
    expect(await store.job('other')).toMatchObject({ queue: 'other' });
  });

  it('leaves the chain of the store as it is', async () => {
    await store.apply([mail('a')]);
    db.exec('BEGIN IMMEDIATE');
    enqueueIn(db, mail('b'), { clock });
    enqueueIn(db, mail('c'), { clock });
    db.exec('COMMIT');
    await store.apply([mail('d')]);
    const blocks = await store.auditBlocks(0, 10);
    expect(blocks.map(({ seq, writer }) => [seq, writer])).toEqual([
      [1, 'sqlite'],
      [2, LEAF_WRITER],
      [3, LEAF_WRITER],
      [4, 'sqlite'],
    ]);
    expect(blocks[3]?.prevHash).toBe(blocks[0]?.hash);
  });

  it('can be refused like any other, which leaves no record', async () => {
    await store.apply([mail('a', { uniqueKey: 'u' })]);
    db.exec('BEGIN IMMEDIATE');
    expect(enqueueIn(db, mail('a'), { clock })).toMatchObject({ refusal: 'duplicate_id' });
    expect(enqueueIn(db, mail('b', { uniqueKey: 'u' }), { clock })).toEqual({
      ok: false,
      refusal: 'unique_conflict',
      id: 'a',
    });
    db.exec('COMMIT');
    expect(await store.auditBlocks(0, 10)).toHaveLength(1);
  });

  it('is one of many, each with its result, and all have records', async () => {
    const keyed = (id: string) => mail(id, { uniqueKey: 'k' });
    db.exec('BEGIN IMMEDIATE');
    expect(enqueueManyIn(db, [mail('a'), keyed('b'), keyed('c')], { clock })).toEqual([
      { ok: true, id: 'a', outcome: 'created' },
      { ok: true, id: 'b', outcome: 'created' },
      { ok: false, id: 'b', refusal: 'unique_conflict' },
    ]);
    expect(enqueueManyIn(db, [], { clock })).toEqual([]);
    db.exec('COMMIT');
    const stored = ['a', 'b', 'c'].map(async (id) => (await store.job(id))?.state);
    expect(await Promise.all(stored)).toEqual(['ready', 'ready', undefined]);
    // Both records are in one block.
    const blocks = await store.auditBlocks(0, 10);
    expect(blocks.map(({ seq, writer }) => [seq, writer])).toEqual([[1, LEAF_WRITER]]);
  });

  it('is not one of more than 10,000', () => {
    const many = Array.from({ length: 10_001 }, () => mail('a'));
    expect(() => enqueueManyIn(db, many, { clock })).toThrow(
      'enqueueManyIn takes a list of at most 10000 commands, not 10001',
    );
  });

  it('takes part in what is left of a transaction that was rolled back in part', async () => {
    db.exec('BEGIN IMMEDIATE');
    enqueueIn(db, mail('kept'), { clock });
    db.exec('SAVEPOINT mine');
    enqueueIn(db, mail('dropped', { queue: 'q2' }), { clock });
    db.exec('ROLLBACK TO mine');
    enqueueIn(db, mail('again', { queue: 'q2' }), { clock });
    db.exec('COMMIT');
    const { jobs } = await store.jobs({}, { limit: 10 });
    expect(jobs.map(({ id }) => id).sort()).toEqual(['again', 'kept']);
  });

  it('works on a connection that was closed and opened again, and on one with other habits', async () => {
    db.exec('BEGIN IMMEDIATE');
    enqueueIn(db, mail('a'), { clock });
    db.exec('COMMIT');
    db.close();
    db.open();
    db.exec('BEGIN IMMEDIATE');
    enqueueIn(db, mail('b'), { clock });
    db.exec('COMMIT');
    db.close();
    db = new DatabaseSync(place.path, { readBigInts: true, returnArrays: true });
    db.exec('BEGIN IMMEDIATE');
    enqueueIn(db, mail('c'), { clock });
    db.exec('COMMIT');
    expect((await store.jobs({}, { limit: 10 })).jobs).toHaveLength(3);
  });
});

describe('enqueueIn refuses', () => {
  it('a connection of better-sqlite3 inside BEGIN IMMEDIATE, and names the driver', () => {
    class Database {
      readonly inTransaction = true;
      readonly open = true;
      prepare(): void {}
      pragma(): void {}
    }
    const other = new Database() as unknown as DatabaseSync; // What plain JavaScript may pass.
    const refusal = (code: string, text: RegExp) =>
      expect.objectContaining({ code, message: expect.stringMatching(text) });
    expect(() => enqueueIn(other, mail('a'))).toThrow(
      refusal(
        'store_unsupported',
        /^enqueueIn works on a DatabaseSync of node:sqlite or an sqlExecutor, and this connection belongs to better-sqlite3: /,
      ),
    );
    expect(() => onceIn(other, { key: 'k' }, () => {})).toThrow(
      refusal('store_unsupported', /^onceIn works .* better-sqlite3/),
    );
    const none = undefined as unknown as DatabaseSync; // What plain JavaScript may pass.
    expect(() => enqueueIn(none, mail('a'))).toThrow(
      refusal('store_unsupported', /another driver/),
    );
  });

  it('a connection without a transaction', () => {
    expect(() => enqueueIn(db, mail('a'))).toThrow(
      expect.objectContaining({ code: 'not_in_transaction' }),
    );
  });

  it('a transaction that cannot write because another one does', async () => {
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM orders').get();
    await store.apply([mail('meanwhile')]);
    expect(() => enqueueIn(db, mail('a'))).toThrow(
      expect.objectContaining({
        code: 'not_in_transaction',
        message: expect.stringContaining('BEGIN IMMEDIATE'),
      }),
    );
    db.exec('ROLLBACK');
    expect(await store.job('a')).toBeUndefined();
  });

  it('attached databases', () => {
    db.exec(`ATTACH '${place.directory}/other.db' AS other`);
    db.exec('BEGIN IMMEDIATE');
    expect(() => enqueueIn(db, mail('a'))).toThrow(
      expect.objectContaining({ code: 'store_unsupported', details: { attached: ['other'] } }),
    );
    db.exec('ROLLBACK');
  });

  it('a connection whose commits are not on disk', () => {
    db.exec('PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE');
    expect(() => enqueueIn(db, mail('a'))).toThrow(/synchronous=FULL/);
    db.exec('ROLLBACK');
  });

  it('a file that is no store, or none of this version', () => {
    const file = `${place.directory}/app.db`;
    const other = new DatabaseSync(file);
    other.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a); BEGIN IMMEDIATE');
    expect(() => enqueueIn(other, mail('a'))).toThrow(/not a Redrive store/);
    other.exec('ROLLBACK; DROP TABLE t; BEGIN IMMEDIATE');
    expect(() => enqueueIn(other, mail('a'))).toThrow(
      expect.objectContaining({ code: 'store_not_found' }),
    );
    other.close();
    db.exec(`PRAGMA user_version = 0; BEGIN IMMEDIATE`);
    expect(() => enqueueIn(db, mail('a'))).toThrow(
      expect.objectContaining({ code: 'schema_too_old' }),
    );
    db.exec('ROLLBACK');
    db.exec(
      `PRAGMA user_version = 99; UPDATE meta SET value = 99 WHERE key = 'works_from'; BEGIN IMMEDIATE`,
    );
    expect(() => enqueueIn(db, mail('a'))).toThrow(
      expect.objectContaining({ code: 'schema_too_new' }),
    );
    db.exec('ROLLBACK');
  });
});
