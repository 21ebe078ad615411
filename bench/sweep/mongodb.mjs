import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { mongodbDocuments } from '../../packages/mongodb/dist/index.js';
import { startMongodb } from '../../packages/testkit/src/services/index.ts';
import { FILL, HOUR_MS, idOf, PAGE, statusOf, titleOf } from './documents.mjs';
import { openStores } from './sqlite.mjs';

export async function openMongodb() {
  const folder = await mkdtemp(join(tmpdir(), 'redrive-bench-'));
  const server = await startMongodb();
  const url = new URL(server.url);
  url.pathname = `/redrive_bench_${process.pid}`;
  const client = new MongoClient(url.href, { writeConcern: { w: 'majority' } });
  const db = client.db();
  return {
    url: url.href,
    openStore: openStores(folder),
    openSource: () => mongodbDocuments(url.href),
    async fill(name, total) {
      const time = new Date(Date.now() - HOUR_MS);
      for (let from = 0; from < total; from += FILL) {
        const length = Math.min(FILL, total - from);
        const documents = Array.from({ length }, (_, n) => ({
          _id: idOf(from + n),
          ...{ status: statusOf(from + n), attemptCount: 1, lastAttemptTime: time },
          title: titleOf(from + n),
        }));
        await db.collection(name).insertMany(documents, { ordered: false });
      }
    },
    async stick(name, count) {
      const lastAttemptTime = new Date(Date.now() - 25 * HOUR_MS);
      await db.collection(name).updateMany(
        { _id: { $lt: idOf(count) } },
        {
          $set: { status: 'pending', attemptCount: 1, lastAttemptTime },
          $unset: { retry_sweep: '' },
        },
      );
    },
    raw: (name) => rawOn(db.collection(name)),
    async close() {
      await db.dropDatabase();
      await client.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function rawOn(collection) {
  const projection = { status: 1, attemptCount: 1, lastAttemptTime: 1, title: 1 };
  return {
    async find(status, after) {
      const until = new Date(Date.now() - 24 * HOUR_MS);
      const filter = { status, 'retry_sweep.sent': { $ne: false } };
      const some = (more, limit) =>
        collection
          .find({ ...filter, ...more }, { projection })
          .sort({ lastAttemptTime: 1, _id: 1 })
          .limit(limit)
          .toArray();
      if (after === undefined) return some({ lastAttemptTime: { $lt: until } }, PAGE);
      const at = after.lastAttemptTime;
      const same = await some({ lastAttemptTime: at, _id: { $gt: after._id } }, PAGE);
      if (same.length === PAGE) return same;
      const later = await some({ lastAttemptTime: { $gt: at, $lt: until } }, PAGE - same.length);
      return [...same, ...later];
    },
    async claim(documents, events) {
      const writes = documents.map(({ _id, status, attemptCount, lastAttemptTime }, n) => {
        const at = new Date();
        const set = { lastAttemptTime: at, retry_sweep: { event: events[n], sent: false, at } };
        const filter = { _id, status, attemptCount, lastAttemptTime };
        return { updateOne: { filter, update: { $set: set, $inc: { attemptCount: 1 } } } };
      });
      return (await collection.bulkWrite(writes, { ordered: false })).matchedCount;
    },
    async mark(documents, events) {
      const writes = documents.map(({ _id }, n) => {
        const filter = { _id, 'retry_sweep.event': events[n] };
        const set = { 'retry_sweep.sent': true, lastAttemptTime: new Date() };
        return { updateOne: { filter, update: { $set: set } } };
      });
      await collection.bulkWrite(writes, { ordered: false });
    },
  };
}
