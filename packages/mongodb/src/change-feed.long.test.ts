import { jobsOn, memoryStore } from '@redrive/durable';
import { schedules } from '@redrive/durable/control';
import {
  CHANGE_FEED_HANDLER,
  type ChangeFeed,
  type ChangeKind,
  changeFeedHandler,
  changeFeedSchedule,
  type DocumentSource,
} from '@redrive/durable/documents';
import { memoryBus, publishHandler, READ_TOKEN_HEADER } from '@redrive/durable/events';
import { testCollection } from '@redrive/testkit/conformance/document-source';
import {
  type MongodbReplicaSet,
  startMongodb,
  startMongodbReplicaSet,
} from '@redrive/testkit/services';
import { Decimal128, type Document, Double, Int32, Long, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { mongodbDocuments } from './mongodb-documents.ts';
import { readToken, waitUntilReadable } from './read-token.ts';
import { newDatabase, urlOf } from './testing/url-of.ts';

let set: MongodbReplicaSet;
let client: MongoClient;

beforeAll(async () => {
  set = await startMongodbReplicaSet({ args: ['--oplogSize', '2', '--syncdelay', '1'] });
  client = new MongoClient(set.url);
}, 300_000);

afterAll(async () => {
  await client?.close();
  await set?.stop();
});

function open() {
  const database = newDatabase();
  const source = mongodbDocuments(urlOf(set, database));
  const documents = client.db(database).collection<{ _id: string }>('archives');
  const collection = testCollection('archives');
  const named = { ...collection, fields: { ...collection.fields, read: ['_id', 'title'] } };
  onTestFinished(async () => {
    await client.db(database).dropDatabase();
    await source.close();
  });
  const look = (after?: string, kinds: readonly ChangeKind[] = ['insert'], waitMs = 5) =>
    changesOf(source, named, { kinds, after, limit: 3, waitMs });
  return { source, documents, collection: named, look };
}

async function changesOf(
  source: DocumentSource,
  ...args: Parameters<Required<DocumentSource>['changes']>
) {
  const page = await source.changes?.(...args);
  if (page === undefined) throw new Error('The source has no changes');
  return page;
}

it('reads changes after a position, in order, with the fields that are read; again from the same position', async () => {
  const { documents, look } = open();
  await documents.insertOne({ _id: 'before' });
  const start = await look();
  expect(start.changes).toEqual([]);
  for (const _id of ['a', 'b', 'c', 'd'])
    await documents.insertOne({ _id, title: `t-${_id}`, body: 'x' } as Document as { _id: string });
  const first = await look(start.next, ['insert'], 1_000);
  expect(first.changes.map(({ values }) => values)).toEqual(
    ['a', 'b', 'c'].map((_id) => ({ _id, title: `t-${_id}` })),
  );
  expect(await look(start.next)).toEqual(first);
  const then = await look(first.next, ['insert'], 1_000);
  expect(then.changes.map(({ values }) => values._id)).toEqual(['d']);
  const tokens = [...first.changes, ...then.changes].map(({ token }) => token);
  expect(new Set(tokens).size).toBe(4);
  expect((await look(then.next)).changes).toEqual([]);
});

it('a position is the whole resume token, with the types of numbers in an id', async () => {
  const { documents, source, collection } = open();
  const page = (after?: string) =>
    changesOf(source, collection, { kinds: ['insert'], after, limit: 1, waitMs: 1_000 });
  let { next } = await page();
  const ids = [Long.fromNumber(1), new Int32(2), Decimal128.fromString('3.0'), new Double(4)];
  for (const _id of ids) await documents.insertOne({ _id } as Document as { _id: string });
  const tokens = new Set<string>();
  const positions: string[] = [];
  for (const _ of ids) {
    const { changes, next: then } = await page(next);
    for (const { token } of changes) tokens.add(token);
    positions.push(then);
    next = then;
  }
  expect(tokens.size).toBe(ids.length);
  expect(positions).toContainEqual(expect.stringContaining('_typeBits'));
});

it('reads each kind of change, and goes on behind a collection that was dropped', async () => {
  const { documents, look } = open();
  const all = ['insert', 'update', 'replace', 'delete'] as const;
  let { next } = await look(undefined, all);
  await documents.insertOne({ _id: 'a' });
  await documents.updateOne({ _id: 'a' }, { $set: { title: 'new' } });
  await documents.replaceOne({ _id: 'a' }, { title: 'other' } as Document);
  await documents.deleteOne({ _id: 'a' });
  await documents.drop();
  await documents.insertOne({ _id: 'again' });
  const found: unknown[] = [];
  for (let looks = 0; looks < 9 && found.length < 5; looks += 1) {
    const page = await look(next, all, 200);
    found.push(...page.changes.map(({ kind, values }) => [kind, values]));
    next = page.next;
  }
  expect(found).toEqual([
    ['insert', { _id: 'a' }],
    // The document as it is when the change is read: it is deleted by then.
    ['update', { _id: 'a' }],
    ['replace', { _id: 'a', title: 'other' }],
    ['delete', { _id: 'a' }],
    ['insert', { _id: 'again' }],
  ]);
});

it('each change is one event on the bus, over runs that begin at an old position', async () => {
  const { source, documents, collection } = open();
  const store = memoryStore();
  const bus = memoryBus();
  await bus.declare({ name: 'archive.ingested' });
  const event = {
    type: 'ArchiveIngested',
    bus: 'main',
    destination: 'archive.ingested',
    data: { archive_id: '$_id' },
  };
  const feed: ChangeFeed = { name: 'archives', source, collection, kinds: ['insert'], event };
  const stop = new AbortController();
  const parts = { store, feeds: [feed], actor: { name: 'test' }, stop: stop.signal };
  const jobs = jobsOn(store, {
    'events.publish': publishHandler({ main: bus }, { readToken: async () => 'of the store' }),
    [CHANGE_FEED_HANDLER]: changeFeedHandler(parts),
  });
  const [name, options] = changeFeedSchedule(feed);
  // Each run has one look: the test begins them.
  stop.abort();
  const run = async (headers = { 'redrive-schedule': name }) => {
    const job = await jobs.enqueue(CHANGE_FEED_HANDLER, options.payload, { headers });
    await jobs.idle();
    return job;
  };
  jobs.schedule(name, options);
  await jobs.start();
  await run();
  const position = async () => (await schedules(store)).schedules.find((one) => one.name === name);
  expect((await position())?.position).toMatch(/^\{"_data":"[0-9A-F]+"/);
  await documents.insertMany(['a', 'b', 'c'].map((_id) => ({ _id })));
  await run();
  await documents.insertOne({ _id: 'd' });
  await run();
  const messages = (await bus.peek?.({ name: 'archive.ingested' }, 10)) ?? [];
  const bodies = messages.map(({ body }) => JSON.parse(Buffer.from(body).toString()));
  expect(bodies.map(({ data }) => data.archive_id).sort()).toEqual(['a', 'b', 'c', 'd']);
  expect(bodies[0]).toMatchObject({ event_type: 'ArchiveIngested', change: 'insert' });
  expect(messages.map(({ id }) => id)).toEqual(bodies.map(({ event_id }) => event_id));
  const secondaries = client.db(documents.dbName, { readPreference: 'secondary' });
  for (const { headers } of messages)
    await waitUntilReadable(secondaries, headers[READ_TOKEN_HEADER] ?? '', { timeoutMs: 5_000 });
  expect((await position())?.totals.stored).toBe(4);
  await jobs.stop();
  await store.close();
});

it('waitUntilReadable: a secondary shows writes before the token, and is not waited for longer than the limit', async () => {
  const { documents } = open();
  const primary = client.db(documents.dbName);
  const secondary = client.db(documents.dbName, { readPreference: 'secondary' });
  for (let n = 0; n < 30; n += 1) {
    await documents.insertOne({ _id: `d${n}` }, { writeConcern: { w: 1 } });
    const token = await readToken(primary);
    await client.withSession(async (session) => {
      await waitUntilReadable(secondary, token, { session, timeoutMs: 5_000 });
      const there = secondary.collection<{ _id: string }>('archives');
      expect(await there.findOne({ _id: `d${n}` }, { session })).not.toBeNull();
    });
  }
  const [t = 0] = (await readToken(primary)).split(':').map(Number);
  const ahead = waitUntilReadable(secondary, `${t + 1_000}:1`, { timeoutMs: 100 });
  await expect(ahead).rejects.toMatchObject({ name: 'RetryableError' });
  await expect(waitUntilReadable(secondary, '0/16B3748')).rejects.toMatchObject({
    code: 'invalid_option',
  });
});

it('a position that the oplog does not have any more is refused, with a remedy', async () => {
  const { source, collection, documents, look } = open();
  const { next } = await look();
  // More than the oplog holds. The server forgets its start at a checkpoint.
  const refused = async () => {
    const rows = Array.from({ length: 20 }, () => ({ title: 'x'.repeat(100_000) }));
    await documents.insertMany(rows as Document[] as { _id: string }[]);
    return look(next).then(
      () => undefined,
      (error: unknown) => error,
    );
  };
  await expect
    .poll(refused, { timeout: 60_000, interval: 100 })
    .toMatchObject({ code: 'documents_refused', details: { isLost: true } });
  const event = { type: 'A', bus: 'main', destination: 'a', data: {} };
  const store = memoryStore();
  const feed: ChangeFeed = {
    name: 'archives',
    kinds: ['insert'],
    event,
    collection,
    source: { ...source, changes: () => look(next) },
  };
  const errors: unknown[] = [];
  const jobs = jobsOn(
    store,
    { [CHANGE_FEED_HANDLER]: changeFeedHandler({ store, feeds: [feed], actor: { name: 'test' } }) },
    {
      onNotice: (notice) => void errors.push(JSON.stringify(notice)),
    },
  );
  await jobs.start();
  const [name, { payload }] = changeFeedSchedule(feed);
  const { id } = await jobs.enqueue(CHANGE_FEED_HANDLER, payload, {
    headers: { 'redrive-schedule': name },
  });
  await expect
    .poll(async () => (await store.job(id))?.attempts.kept.at(0)?.error?.message, {
      timeout: 10_000,
    })
    .toMatch(/does not have the changes of archives.*redrive schedules remove changes\.archives/s);
  expect((await store.job(id))?.state).not.toBe('dead');
  await jobs.stop({ mode: 'release', graceMs: 0 });
  await store.close();
});

it('a server alone has no changes', async () => {
  const server = await startMongodb();
  const source = mongodbDocuments(urlOf(server, newDatabase()));
  const request = { kinds: ['insert'], limit: 1, waitMs: 1 } as const;
  await expect(changesOf(source, testCollection('archives'), request)).rejects.toMatchObject({
    code: 'documents_refused',
    message: expect.stringContaining('replica set'),
  });
  await source.close();
  await server.stop();
});
