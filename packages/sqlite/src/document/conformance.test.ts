import { DatabaseSync } from 'node:sqlite';
import type { DocumentCollection, DocumentSet, StoredDocument } from '@redrive/durable/documents';
import {
  documentSourceConformance,
  type OwnersDocument,
  testCollection,
} from '@redrive/testkit/conformance/document-source';
import { afterEach, describe, expect, it } from 'vitest';
import { scratch } from '../testing/scratch.ts';
import { rangesOf } from './page.ts';
import { sqliteDocuments } from './sqlite-documents.ts';
import { findTable } from './table.ts';

const HOUR = 3_600_000;
const DUE = { set: 'due', olderThanMs: HOUR, limit: 100 } as const;
const archives = testCollection('Archives "of" mine');
const TABLE = '"Archives ""of"" mine"';

/** The application's own file, and a source on it. */
async function open(columns = '_id text primary key, status text, title text') {
  const place = scratch();
  const db = new DatabaseSync(place.path);
  db.exec(`create table ${TABLE} (${columns})`);
  const source = sqliteDocuments(place.path);
  await source.prepare(archives, { dryRun: false });
  closings.push(async () => {
    await source.close();
    db.close();
    place.remove();
  });
  return { db, source };
}

const closings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

type Store = (ms: number) => string | number;

function put(db: DatabaseSync, document: OwnersDocument, store: Store): void {
  const { id, status, count, timeMs, mark, title, lastError } = document;
  const values = {
    _id: id,
    ...(status !== undefined && { status }),
    ...(count !== undefined && { attemptCount: count }),
    ...(timeMs !== undefined && { lastAttemptTime: timeMs === null ? null : store(timeMs) }),
    ...(mark && { retry_sweep: JSON.stringify(mark) }),
    ...(title !== undefined && { title }),
    ...(lastError !== undefined && { lastError }),
  };
  const names = Object.keys(values).map((column) => `"${column}"`);
  const updates = names.map((column) => `${column} = excluded.${column}`);
  db.prepare(
    `insert into ${TABLE} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})
      on conflict (_id) do update set ${updates.join(', ')}`,
  ).run(...Object.values(values));
}

describe.each<[string, string, Store]>([
  ['ISO texts', '', (ms) => new Date(ms).toISOString()],
  ['integers, in milliseconds', ', "lastAttemptTime" integer', (ms) => ms],
])('documents of SQLite whose times are %s', (_, column, store) => {
  documentSourceConformance(
    async () => {
      const { db, source } = await open(`_id text primary key, status text, title text${column}`);
      const collection: DocumentCollection = archives;
      return { source, collection, put: async (document) => put(db, document, store) };
    },
    { describe, it },
  );
});

describe('a table of the user', () => {
  it('gets the missing columns and indexes; a dry run says which', async () => {
    const place = scratch();
    const db = new DatabaseSync(place.path);
    db.exec(
      `create table ${TABLE} (_id text primary key, status text, title text, "attemptCount" integer)`,
    );
    const source = sqliteDocuments(`sqlite:${place.path}`);
    const find = source.find(archives, DUE);
    await expect(find).rejects.toMatchObject({ code: 'documents_refused' });
    await expect(find).rejects.toThrow(/no such column.*redrive sweep init/s);
    const lines = await source.prepare(archives, { dryRun: true });
    expect(lines.slice(0, 4)).toEqual([
      `column "lastAttemptTime" text on ${TABLE}`,
      `column "retry_sweep" text on ${TABLE}`,
      `column "lastError" text on ${TABLE}`,
      `index "redrive_due_Archives ""of"" mine" on ${TABLE} ("status", "lastAttemptTime", "_id")`,
    ]);
    expect(lines).toHaveLength(6);
    expect(await source.prepare(archives, { dryRun: false })).toEqual(lines);
    expect(await source.prepare(archives, { dryRun: true })).toEqual([]);
    await source.close();
    db.close();
    place.remove();
  });

  it.each([1, 2, 3, 9])(
    'with ids that are not valid UTF-8, in pages of %i: the others are found',
    async (limit) => {
      const { db, source } = await open();
      const insert = db.prepare(
        `insert into ${TABLE} (_id, status) values (cast(? as text), 'pending')`,
      );
      const bad = [[0x63, 0x80], [0x63, 0xff], [0xff]].map((bytes) => Buffer.from(bytes));
      const good = ['a', 'b', 'c', 'c\u00e9', 'd', '\u{1f600}'];
      for (const id of [...good, ...bad]) insert.run(Buffer.from(id));
      const found: string[] = [];
      let after: string | undefined;
      for (let page = 0; page < 10; page += 1) {
        const { documents, next } = await source.find(archives, { ...DUE, limit, after });
        found.push(...documents.map(({ id }) => id));
        if (next === undefined) break;
        after = next;
      }
      expect(found).toEqual(good);
      // They still count as stuck.
      expect(await source.count(archives, DUE, 100)).toBe(9);
    },
  );

  it('that does not exist, or whose file does not, is documents_refused, and no file is made', async () => {
    const place = scratch();
    const source = sqliteDocuments(place.path);
    await expect(source.find(archives, DUE)).rejects.toThrow(/does not exist/);
    new DatabaseSync(place.path).close();
    await expect(source.find(archives, DUE)).rejects.toMatchObject({
      code: 'documents_refused',
      message: 'Table Archives "of" mine does not exist',
    });
    await source.close();
    place.remove();
  });

  it('with times as SQLite itself writes them is not taken as stuck too early', async () => {
    const place = await open();
    const nowMs = (await place.source.byIds(archives, [])).nowMs;
    const text = (ms: number) => new Date(ms).toISOString().replace('T', ' ').slice(0, 19);
    const rows = [
      ['old', text(nowMs - 2 * HOUR)],
      ['young', text(nowMs - HOUR / 2)],
      ['soon', text(nowMs + 10_000)],
    ] as const;
    const insert = place.db.prepare(
      `insert into ${TABLE} (_id, status, "lastAttemptTime") values (?, 'pending', ?)`,
    );
    for (const row of rows) insert.run(...row);
    expect((await place.source.find(archives, DUE)).documents.map(({ id }) => id)).toEqual(['old']);
    expect((await place.source.find(archives, { set: 'ahead', limit: 9 })).documents).toEqual([]);
  });

  it.each(['text', 'integer'])('with times as %s is read by ranges of an index', async (type) => {
    const place = await open(
      `_id text primary key, status text, title text, "lastAttemptTime" ${type}`,
    );
    const table = findTable(place.db, archives);
    const insert = place.db.prepare(
      `insert into ${TABLE} (_id, status, "lastAttemptTime") values (?, 'pending', ?)`,
    );
    for (let n = 0; n < 50; n += 1) insert.run(`d${n}`, table.stored(10 * HOUR - n));
    let rowsRead = 0;
    place.db.function('ms_of_row', () => {
      rowsRead += 1;
      return 10 * HOUR;
    });
    const work = { ...table, nowMs: 10 * HOUR, msOf: () => 'ms_of_row()' };
    const sets = [DUE, { ...DUE, set: 'unsent' } as const, { set: 'ahead' } as const];
    for (const set of sets) {
      for (const { where, values } of rangesOf(work, set)) {
        const sql = `select * from ${TABLE} where ${where}`;
        const [plan] = place.db.prepare(`explain query plan ${sql}`).all(...values);
        expect(String(plan?.detail)).toMatch(/ INDEX .*(?:lastAttemptTime|<expr>)[<>=]/);
        expect(place.db.prepare(sql).all(...values)).toEqual([]);
      }
    }
    // All of them are of the last hour: neither stuck nor ahead.
    expect(rowsRead).toBe(0);
  });

  it('finds times that are ahead in both notations, and what is not a time in one of the sets', async () => {
    const place = await open();
    const nowMs = (await place.source.byIds(archives, [])).nowMs;
    const insert = place.db.prepare(
      `insert into ${TABLE} (_id, status, "lastAttemptTime") values (?, 'pending', ?)`,
    );
    for (const minutes of [-1, 2, 120, 60 * 48]) {
      const text = new Date(nowMs + minutes * 60_000).toISOString();
      insert.run(`T${minutes}`, text);
      insert.run(`s${minutes}`, text.replace('T', ' ').slice(0, 19));
    }
    const odd = ['2020-01-01', '1700000000', 'yesterday', '/', '2451545', ''];
    for (const text of odd) insert.run(`odd ${text}`, text);
    const ids = async (set: DocumentSet) =>
      (await place.source.find(archives, { ...set, limit: 99 })).documents.map(({ id }) => id);
    const ahead = await ids({ set: 'ahead' });
    const isAhead = (id: string) => !id.startsWith('odd');
    expect(ahead.filter(isAhead).sort()).toEqual(['T120', 'T2', 'T2880', 's120', 's2', 's2880']);
    const invalid = [...ahead, ...(await ids(DUE))].filter((id) => !isAhead(id));
    expect(invalid.sort()).toEqual(odd.map((text) => `odd ${text}`).sort());
  });

  it('shows documents that are not valid as they are, and keeps a page going', async () => {
    const place = await open('_id, status, title, big, "attemptCount"');
    place.db.exec(`insert into ${TABLE} (_id, status, big, "attemptCount", "lastAttemptTime") values
      ('half', 'pending', 1, 2.5, null), ('text', 'pending', 1, 'three', null), ('blob', 'pending', x'00ff', x'01', null),
      ('huge', 'pending', 9223372036854775807, 9223372036854775807, null), (x'00', 'pending', 1, 1, null),
      (1.5, 'pending', 1, 1, null), ('day', 'pending', 1, 1, '2451545'), ('word', 'pending', 1, 1, 'yesterday'),
      ('mark', 'pending', 1, 1, null), ('${'x'.repeat(5_000)}', 'pending', 1, 1, null), ('last', 'pending', 1, 1, null)`);
    place.db.exec(`update ${TABLE} set retry_sweep = 'no JSON' where _id = 'mark'`);
    const collection = { ...archives, fields: { ...archives.fields, read: ['big'] } };
    const found = new Map<string, unknown[]>();
    for (const set of [DUE, { set: 'ahead', limit: 1 } as const]) {
      let after: string | undefined;
      do {
        const page = await place.source.find(collection, { ...set, limit: 1, after });
        for (const { id, count, timeMs, values } of page.documents)
          found.set(id.slice(0, 9), [count, timeMs, values.big]);
        expect((page.next ?? '').length).toBeLessThan(2_048);
        after = page.next;
      } while (after !== undefined);
    }
    expect(Object.fromEntries(found)).toMatchObject({
      half: [2.5, null, 1],
      text: ['three', null, 1],
      blob: ['AQ==', null, 'AP8='],
      huge: ['9223372036854775807', null, '9223372036854775807'],
      '1.5': [1, Number.NaN, 1],
      day: [1, Number.NaN, 1],
      word: [1, Number.NaN, 1],
      mark: [1, null, 1],
      last: [1, null, 1],
    });
  });

  it('with blobs and numbers as times and ids is read to its end, each row once', async () => {
    const place = await open('_id, status, title, "lastAttemptTime"');
    const long = 'ab'.repeat(500);
    const keys = [`x'00'`, `x'01'`, `x'${long}'`, '1.5', '2', '2.5', "'a'"];
    for (const status of ['pending', 'failed_max_retries']) {
      for (const [n, key] of keys.entries()) {
        place.db.exec(
          `insert into ${TABLE} (_id, status, "lastAttemptTime") values ('${status}${n}', '${status}', ${key})`,
        );
        place.db.exec(`insert into ${TABLE} (_id, status) values (${key}, '${status}')`);
      }
    }
    for (const [set, rows] of [
      [{ set: 'failed' }, 14],
      [DUE, 10],
      [{ set: 'ahead' }, 4],
    ] as const) {
      for (const newestFirst of [false, true]) {
        let [found, pages] = [0, 0];
        let after: string | undefined;
        do {
          const page = await place.source.find(archives, { ...set, limit: 1, newestFirst, after });
          found += page.documents.length;
          pages += 1;
          after = page.next;
        } while (after !== undefined && pages < 50);
        expect([set.set, newestFirst, found]).toEqual([set.set, newestFirst, rows]);
      }
    }
  });

  it.each([
    ['trigger', "select raise(abort, 'not this one')"],
    ['trigger that keeps its changes', "select raise(fail, 'not this one')"],
    ['trigger that ends the transaction', "select raise(rollback, 'not this one')"],
    ['faulty trigger', "select json('{')"],
  ])('with a %s against one row leaves the others alone', async (_, refusal) => {
    const place = await open();
    place.db.exec(`insert into ${TABLE} (_id, status) values ('a', 'pending'), ('b', 'pending'), ('c', 'pending');
      create trigger no before update on ${TABLE} when old._id = 'b' begin ${refusal}; end`);
    const { documents } = await place.source.find(archives, DUE);
    const claims = documents.map(({ id, stamp }) => ({ id, stamp, event: id }));
    expect(await place.source.claim(archives, claims)).toEqual([true, false, true]);
    expect((await place.source.find(archives, DUE)).documents).toEqual(documents.slice(1, 2));
    await expect(place.source.claim(archives, claims.slice(1, 2))).rejects.toMatchObject({
      code: 'documents_refused',
    });
  });

  it('may have ids without a declared type, and names of columns in another case', async () => {
    const place = await open('_ID primary key, STATUS, title, "LASTATTEMPTTIME" integer');
    place.db.exec(
      `insert into ${TABLE} (_id, status) values (7, 'pending'), (8, 'pending'), ('7 a', 'pending'), ('9', 'pending')`,
    );
    const found: StoredDocument[] = [];
    let after: string | undefined;
    do {
      const page = await place.source.find(archives, { ...DUE, limit: 1, after });
      found.push(...page.documents);
      after = page.next;
    } while (after !== undefined);
    const ids = ['7', '8', '7 a', '9'];
    expect(found.map(({ id }) => id)).toEqual(ids);
    const claims = found.map(({ id, stamp }) => ({ id, stamp, event: id }));
    const all = ids.map(() => true);
    expect(await place.source.claim(archives, claims)).toEqual(all);
    const sent = ids.map((id) => ({ id, event: id, to: 'sent' }) as const);
    expect(await place.source.settle(archives, sent)).toEqual(all);
    const { documents } = await place.source.byIds(archives, ids);
    expect(documents.map(({ timeMs }) => Number.isSafeInteger(timeMs))).toEqual(all);
    const failures = documents.map(({ id, stamp }) => ({ id, stamp, event: id }));
    expect(await place.source.fail(archives, failures)).toEqual(all);
    const event = 'again';
    const resets = ids.slice(0, 2).map((id) => ({ id, event }));
    expect(await place.source.reset(archives, resets)).toEqual([true, true]);
    const gone = await place.source.remove(archives, ['9', '7 a'], { archive: true });
    expect(gone).toEqual([true, true]);
  });

  it('gets a wider archive when it has a new column', async () => {
    const place = await open();
    place.db.exec(
      `insert into ${TABLE} (_id, status) values ('a', 'failed_max_retries'), ('b', 'failed_max_retries')`,
    );
    expect(await place.source.remove(archives, ['a'], { archive: true })).toEqual([true]);
    place.db.exec(`alter table ${TABLE} add owner text; update ${TABLE} set owner = 'me'`);
    expect(await place.source.remove(archives, ['b'], { archive: true })).toEqual([true]);
    const kept = place.db.prepare(
      'select _id, owner from "Archives ""of"" mine_dead_letters" order by 1',
    );
    expect(kept.all().map((row) => Object.values(row))).toEqual([
      ['a', null],
      ['b', 'me'],
    ]);
  });

  it('is claimed off the event loop, while the application writes', async () => {
    const place = await open();
    place.db.exec('PRAGMA busy_timeout = 2000');
    const insert = place.db.prepare(`insert into ${TABLE} (_id, status) values (?, 'pending')`);
    for (let n = 0; n < 500; n += 1) insert.run(`d${n}`);
    const { documents } = await place.source.find(archives, { ...DUE, limit: 500 });
    const claims = documents.map(({ id, stamp }) => ({ id, stamp, event: id }));
    const claimed = place.source.claim(archives, claims);
    for (let n = 500; n < 600; n += 1) insert.run(`d${n}`);
    expect((await claimed).every((each) => each)).toBe(true);
  });

  it('whose file is locked for long is documents_unavailable', async () => {
    const place = await open();
    place.db.exec(`insert into ${TABLE} (_id, status) values ('a', 'pending')`);
    const { documents } = await place.source.find(archives, DUE);
    place.db.exec('BEGIN IMMEDIATE');
    const claims = documents.map(({ id, stamp }) => ({ id, stamp, event: id }));
    await expect(place.source.claim(archives, claims)).rejects.toMatchObject({
      code: 'documents_unavailable',
    });
    place.db.exec('COMMIT');
    expect(await place.source.claim(archives, claims)).toEqual([true]);
  });
});
