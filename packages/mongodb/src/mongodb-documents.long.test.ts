import { systemClock } from '@redrive/core';
import type { StoredDocument } from '@redrive/durable/documents';
import { testCollection } from '@redrive/testkit/conformance/document-source';
import { freePorts, type MongodbService, startMongodb } from '@redrive/testkit/services';
import { type Db, type Document, Long, MongoClient, ObjectId, UUID } from 'mongodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mongodbDocuments, mongodbDocumentsWith } from './mongodb-documents.ts';
import { newDatabase, urlOf } from './testing/url-of.ts';

const HOUR = 3_600_000;
const DUE = { set: 'due', olderThanMs: HOUR, limit: 100 } as const;
const archives = testCollection('archives');

let server: MongodbService;
let client: MongoClient;
let database = '';
const closings: (() => Promise<void>)[] = [];

beforeAll(async () => {
  server = await startMongodb();
  client = new MongoClient(server.url);
}, 300_000);

afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

afterAll(async () => {
  await client?.close();
  await server?.stop();
});

async function open(documents: readonly Document[] = [], collection = archives) {
  database = newDatabase();
  const db: Db = client.db(database);
  const source = mongodbDocuments(urlOf(server, database));
  await source.prepare(collection, { dryRun: false });
  if (documents.length > 0) await db.collection('archives').insertMany([...documents]);
  closings.push(async () => {
    await db.dropDatabase();
    await source.close();
  });
  return { source, db, documents: db.collection('archives') };
}

const ago = (ms: number) => new Date(systemClock.now() - ms);

describe('ids', () => {
  it('of every type are found again by their text, and no two have the same', async () => {
    const digits = '5f0000000000000000000001';
    const ids = [
      new ObjectId(digits),
      digits,
      7,
      2.5,
      '7',
      'number:7',
      new UUID('6f1c0f2e-0000-4000-8000-000000000001'),
      Long.fromString('9007199254740993'),
      '',
      '{"$ne":1}',
    ];
    const lastAttemptTime = ago(2 * HOUR);
    const rows = ids.map((_id) => ({ _id, status: 'pending', attemptCount: 1, lastAttemptTime }));
    const place = await open(rows as Document[]);
    for (const newestFirst of [false, true]) {
      const found: string[] = [];
      let after: string | undefined;
      do {
        const request = { ...DUE, limit: 1, newestFirst, after };
        const page = await place.source.find(archives, request);
        found.push(...page.documents.map(({ id }) => id));
        after = page.next;
      } while (after !== undefined);
      expect(new Set(found).size).toBe(ids.length);
      expect(found).toHaveLength(ids.length);
      expect(found).toContain(digits);
    }
    const { documents } = await place.source.find(archives, DUE);
    const claims = documents.map(({ id, stamp }) => ({ id, stamp, event: `e-${id}` }));
    expect(await place.source.claim(archives, claims)).toEqual(ids.map(() => true));
    const settled = claims.map(({ id, event }) => ({ id, event, to: 'sent' }) as const);
    expect(await place.source.settle(archives, settled)).toEqual(ids.map(() => true));
    expect(await place.documents.countDocuments({ attemptCount: 2 })).toBe(ids.length);
    const named = await place.source.byIds(
      archives,
      claims.map(({ id }) => id),
    );
    expect(new Set(named.documents.map(({ id }) => id)).size).toBe(ids.length);
  });

  it('may be in another field, which then has an index', async () => {
    const own = { ...archives, fields: { ...archives.fields, id: 'archive_id' } };
    const place = await open([{ archive_id: 'a', status: 'pending' }], own);
    const { documents } = await place.source.find(own, DUE);
    expect(documents.map(({ id }) => id)).toEqual(['a']);
    const [{ id, stamp } = { id: '', stamp: '' }] = documents;
    expect(await place.source.claim(own, [{ id, stamp, event: 'e' }])).toEqual([true]);
    expect((await place.documents.indexes()).map(({ key }) => key)).toContainEqual({
      archive_id: 1,
    });
  });
});

describe('documents that are not valid', () => {
  const bad: readonly Document[] = [
    { _id: 'count-text', attemptCount: '3' },
    { _id: 'count-half', attemptCount: 2.5 },
    { _id: 'count-negative', attemptCount: -1 },
    { _id: 'count-object', attemptCount: { $gt: 0 } },
    { _id: 'time-text', attemptCount: 1, lastAttemptTime: '2020-01-01' },
    { _id: 'time-number', attemptCount: 1, lastAttemptTime: 12 },
    { _id: 'time-list', attemptCount: 1, lastAttemptTime: [new Date(0), new Date(1)] },
    { _id: 'status-list', status: ['pending', 'other'], attemptCount: 1 },
    { _id: { a: 1 }, attemptCount: 1 },
    { _id: 'x'.repeat(5_000), attemptCount: 1 },
    { _id: 'ahead', attemptCount: 1, lastAttemptTime: new Date('2100-01-01') },
  ].map((document) => ({ status: 'pending', lastAttemptTime: new Date(0), ...document }));

  it('come out with their values, keep a page going, and no change touches them', async () => {
    const place = await open([...bad, { _id: 'good', status: 'pending' }]);
    const found: { id: string; stamp: string; count: unknown; timeMs: number | null }[] = [];
    for (const set of [DUE, { set: 'ahead', limit: 1 } as const]) {
      let after: string | undefined;
      do {
        const page = await place.source.find(archives, { ...set, limit: 1, after });
        found.push(...page.documents);
        expect((page.next ?? '').length).toBeLessThan(2_048);
        after = page.next;
      } while (after !== undefined);
    }
    const byId = new Map(found.map((document) => [document.id, document]));
    expect(byId.get('count-text')?.count).toBe('3');
    expect(byId.get('count-half')?.count).toBe(2.5);
    expect(byId.get('count-object')?.count).toEqual({ $gt: 0 });
    expect(byId.get('time-text')?.timeMs).toBeNaN();
    expect(byId.get('time-number')?.timeMs).toBeNaN();
    expect(byId.get('time-list')?.timeMs).toBeNaN();
    expect(byId.get('status-list')?.timeMs).toBeNaN();
    expect(byId.get('{"a":1}')?.timeMs).toBeNaN();
    expect(byId.get('ahead')?.timeMs).toBe(Date.UTC(2100, 0, 1));
    expect(new Set(byId.keys()).size).toBe(bad.length + 1);

    const invalid = found.filter(({ id }) => /text|half|object|number|list|\{/.test(id));
    const claims = invalid.map(({ id, stamp }) => ({ id, stamp, event: 'e' }));
    const nothing = claims.map(() => false);
    expect(await place.source.claim(archives, claims)).toEqual(nothing);
    expect(await place.source.fail(archives, claims)).toEqual(nothing);
    const after = await place.documents.find({ _id: { $ne: 'good' } as Document }).toArray();
    expect(after).toHaveLength(bad.length);
    expect(after).toEqual(expect.arrayContaining([...bad]));
  });
});

describe('values that the driver cannot write', () => {
  it('keep a page going', async () => {
    const place = await open(
      ['a', 'b', 'c', 'd'].map((id) => ({ _id: id, status: 'pending' })) as Document[],
    );
    const unknown = { $arrayToObject: [[['_bsontype', 'Foo']]] };
    const never = { $subtract: [new Date(0), Long.fromString('9000000000000000')] };
    const named = (id: string) => ({ _id: id }) as Document;
    await place.documents.updateOne(named('a'), [{ $set: { attemptCount: unknown } }]);
    await place.documents.updateOne(named('b'), [{ $set: { lastAttemptTime: never } }]);
    const copy = [{ $match: named('c') }, { $set: { _id: unknown } }, { $merge: 'archives' }];
    await place.documents.aggregate(copy).toArray();
    const ids = ['a', 'c', 'd', '{"_bsontype":"Foo"}', 'b'];
    for (const newestFirst of [false, true]) {
      const found: StoredDocument[] = [];
      let after: string | undefined;
      do {
        const page = await place.source.find(archives, { ...DUE, limit: 1, newestFirst, after });
        found.push(...page.documents);
        after = page.next;
      } while (after !== undefined && found.length < 9);
      expect(found.map(({ id }) => id)).toEqual(newestFirst ? ids.toReversed() : ids);
      const claims = found.map(({ id, stamp }) => ({ id, stamp, event: id }));
      const bad = claims.filter(({ id }) => !['c', 'd'].includes(id));
      expect(await place.source.claim(archives, bad)).toEqual([false, false, false]);
    }
  });
});

describe('names', () => {
  it.each([
    [{ fields: { ...archives.fields, status: '$where' } }],
    [{ fields: { ...archives.fields, time: 'a\u0000b' } }],
    [{ fields: { ...archives.fields, mark: 'a.b' } }],
    [{ fields: { ...archives.fields, read: ['a.$b'] } }],
    [{ fields: { ...archives.fields, read: ['a..b'] } }],
    [{ name: 'system.users' }],
    [{ name: 'a$b' }],
  ])('with an operator or a control character are refused: %j', async (change) => {
    const source = mongodbDocuments('mongodb://127.0.0.1:1/db');
    const collection = { ...archives, ...change };
    await expect(source.find(collection, DUE)).rejects.toMatchObject({ code: 'invalid_option' });
    const claim = { id: 'a', stamp: '{}', event: 'e' };
    await expect(source.claim(collection, [claim])).rejects.toMatchObject({
      code: 'invalid_option',
    });
    await source.close();
  });
});

describe('values', () => {
  it('of nested fields come as JSON', async () => {
    const collection = {
      ...archives,
      fields: {
        ...archives.fields,
        read: ['meta.at', 'meta.owner', 'big', 'list', 'none', 'meta.x.y'],
      },
    };
    const owner = new ObjectId('5f0000000000000000000001');
    const meta = { at: new Date(0), owner, x: 1 };
    const row = { _id: 'a', status: 'pending', meta, big: Long.MAX_VALUE, list: [1, owner] };
    const place = await open([row as Document]);
    const [document] = (await place.source.find(collection, DUE)).documents;
    expect(document?.values).toEqual({
      'meta.at': '1970-01-01T00:00:00.000Z',
      'meta.owner': '5f0000000000000000000001',
      big: '9223372036854775807',
      list: [1, '5f0000000000000000000001'],
    });
    expect(document?.createdMs).toBeUndefined();
  });

  it('that look like operators are data', async () => {
    const collection = { ...archives, failed: '$failed', pending: ['$pending', 'pending'] };
    const place = await open([{ _id: 'a', status: '$pending', attemptCount: 3 }]);
    const [document] = (await place.source.find(collection, DUE)).documents;
    const claim = { id: 'a', stamp: document?.stamp ?? '', event: '$status' };
    expect(await place.source.fail(collection, [claim])).toEqual([true]);
    expect(await place.documents.findOne()).toMatchObject({
      status: '$failed',
      retry_sweep: { event: '$status', sent: false },
    });
    expect(await place.source.reset(collection, [{ id: 'a', event: '$$NOW' }])).toEqual([true]);
    expect(await place.documents.findOne()).toMatchObject({
      status: '$pending',
      attemptCount: 0,
      retry_sweep: { event: '$$NOW', sent: false, attempt: 1 },
    });
  });
});

describe('a page', () => {
  it('is read by an index, without a sort, in both directions and behind a cursor', async () => {
    const statuses = ['pending', 'processing', 'processed', 'failed_max_retries'];
    const rows = Array.from({ length: 2_000 }, (_, n) => ({
      _id: `d${n}`,
      status: statuses[n % 4],
      attemptCount: 1,
      ...(n % 3 > 0 && { lastAttemptTime: ago(2 * HOUR + (n % 50) * 1_000) }),
      ...(n % 5 === 0 && {
        retry_sweep: {
          ...{ event: `e${n}`, sent: n % 2 === 0, at: ago(HOUR) },
          firstStuckAt: ago(HOUR + (n % 50) * 1_000),
        },
      }),
    }));
    const place = await open(rows as Document[]);
    await place.db.command({ profile: 2 });
    for (const newestFirst of [false, true]) {
      for (const set of [
        DUE,
        { ...DUE, set: 'unsent' } as const,
        { set: 'stuck', limit: 100 } as const,
        { set: 'over', limit: 100 } as const,
        { set: 'failed', limit: 1 } as const,
        { set: 'ahead', limit: 1 } as const,
      ]) {
        let after: string | undefined;
        let pages = 0;
        do {
          const page = await place.source.find(archives, { ...set, limit: 50, newestFirst, after });
          after = page.next;
          pages += 1;
        } while (after !== undefined);
        expect(pages).toBeGreaterThan(set.set === 'ahead' ? 0 : 1);
      }
    }
    await place.db.command({ profile: 0 });
    const finds = await place.db
      .collection('system.profile')
      .find({ 'command.find': 'archives' })
      .toArray();
    expect(finds.length).toBeGreaterThan(20);
    for (const find of finds) {
      const { planSummary, hasSortStage, docsExamined, keysExamined, nreturned, command } = find;
      expect(planSummary, JSON.stringify(command)).toMatch(/^IXSCAN/);
      // Of values that are not times there are few: they may be sorted.
      if (Array.isArray(command.filter.lastAttemptTime?.$type)) {
        expect(keysExamined, JSON.stringify(command)).toBeLessThan(50);
        continue;
      }
      expect(hasSortStage, JSON.stringify(command)).toBeUndefined();
      expect(docsExamined, JSON.stringify(command)).toBeLessThan(2 * nreturned + 200);
    }
  });
});

describe('a page', () => {
  it('of documents of one moment with the lowest ids reads no others', async () => {
    const pad = (n: number) => `d${String(n).padStart(5, '0')}`;
    const lastAttemptTime = ago(2 * HOUR);
    const rows = Array.from({ length: 10_000 }, (_, n) => ({
      ...{ _id: pad(n), attemptCount: 1, lastAttemptTime },
      status: n < 400 ? 'pending' : 'processed',
    }));
    const place = await open(rows as unknown as Document[]);
    const request = { ...DUE, limit: 250 };
    await place.db.command({ profile: 2 });
    const { next } = await place.source.find(archives, request);
    const { documents } = await place.source.find(archives, { ...request, after: next });
    await place.db.command({ profile: 0 });
    expect(documents).toHaveLength(150);
    const reads = await place.db
      .collection('system.profile')
      .find({ ns: /archives/ })
      .toArray();
    const examined = reads.map(({ docsExamined = 0 }) => docsExamined);
    expect(Math.max(...examined)).toBeLessThan(500);
  });

  it('is read without the indexes, and after they are gone', async () => {
    const row = { _id: 'a', status: 'pending', attemptCount: 0 };
    const place = await open([row as unknown as Document]);
    expect((await place.source.find(archives, DUE)).documents).toHaveLength(1);
    await place.documents.dropIndexes();
    await place.source.find(archives, DUE).catch(() => {});
    expect((await place.source.find(archives, DUE)).documents).toHaveLength(1);
  });
});

describe('trouble', () => {
  it('of a server that is away is documents_unavailable, within the limit', async () => {
    const [port] = await freePorts(1);
    const source = mongodbDocuments(`mongodb://app:geheim@127.0.0.1:${port}/db`);
    const start = systemClock.monotonic();
    const error = await source.find(archives, DUE).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'documents_unavailable' });
    expect(String(error)).not.toContain('geheim');
    expect(systemClock.monotonic() - start).toBeLessThan(6_500);
    expect(source.name).toBe(`mongodb://127.0.0.1:${port}/db`);
    await source.close();
    await source.close();
  });

  it.each([
    'http://host/db',
    'mongodb://host',
    'mongodb://user:geheim@host/',
    'mongodb://user:geheim@host/db?w=geheim&foo=bar',
  ])('with the URL %s is invalid_option, which does not repeat it', (url) => {
    expect(() => mongodbDocuments(url)).toThrow(
      expect.objectContaining({ code: 'invalid_option' }),
    );
    expect(() => mongodbDocuments(url)).not.toThrow(/geheim/);
  });

  it('of a rule of the collection against one document leaves the others alone', async () => {
    const place = await open();
    const rule = { $or: [{ _id: { $ne: 'b' } }, { retry_sweep: { $exists: false } }] };
    await place.db.command({ collMod: 'archives', validator: rule });
    const ids = ['a', 'b', 'c'];
    await place.documents.insertMany(ids.map((_id) => ({ _id, status: 'pending' })) as Document[]);
    const { documents } = await place.source.find(archives, DUE);
    const claims = documents.map(({ id, stamp }) => ({ id, stamp, event: id }));
    expect(await place.source.claim(archives, claims)).toEqual([true, false, true]);
    await expect(place.source.claim(archives, claims.slice(1, 2))).rejects.toMatchObject({
      code: 'documents_refused',
    });
  });
});

describe.each([
  ['a server that answers each write of a list', undefined],
  ['an older server', 21],
])('a unique index of the application, on %s', (_, wireVersion) => {
  it('against one document leaves the others alone', async () => {
    const place = await open();
    const ids = ['a', 'b', 'c'];
    const row = { status: 'pending', attemptCount: 1 };
    await place.documents.insertMany([
      ...ids.map((_id) => ({ ...row, _id, title: _id })),
      { _id: 'b2', status: 'processed', title: 'b', attemptCount: 2 },
    ] as Document[]);
    await place.documents.createIndex({ title: 1, attemptCount: 1 }, { unique: true });
    const source = mongodbDocumentsWith(urlOf(server, database), {}, wireVersion);
    closings.push(() => source.close());
    const { documents } = await source.find(archives, DUE);
    const claims = documents.map(({ id, stamp }) => ({ id, stamp, event: id }));
    expect(await source.claim(archives, claims)).toEqual([true, true, true]);
    const settled = claims.map(({ id, event }) => ({ id, event, to: 'sent' }) as const);
    expect(await source.settle(archives, settled)).toEqual([true, false, true]);
    await expect(source.settle(archives, settled.slice(1, 2))).rejects.toThrow(/duplicate key/);
  });
});

describe('prepare', () => {
  it('takes an index of the user with the same fields', async () => {
    database = newDatabase();
    const source = mongodbDocuments(urlOf(server, database));
    await client
      .db(database)
      .collection('archives')
      .createIndex({ status: 1, lastAttemptTime: 1, _id: 1 }, { name: 'own' });
    const unsent = 'index on archives (retry_sweep.at, _id) where retry_sweep.sent is false';
    const stuck =
      'index on archives (status, retry_sweep.firstStuckAt, _id) where retry_sweep.firstStuckAt exists';
    expect(await source.prepare(archives, { dryRun: true })).toEqual([unsent, stuck]);
    expect(await source.prepare(archives, { dryRun: false })).toEqual([unsent, stuck]);
    expect(await source.prepare(archives, { dryRun: true })).toEqual([]);
    await source.close();
    await client.db(database).dropDatabase();
  });
});
