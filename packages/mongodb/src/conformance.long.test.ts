import {
  type DocumentsUnderTest,
  documentSourceConformance,
  testCollection,
} from '@redrive/testkit/conformance/document-source';
import { type MongodbService, startMongodb } from '@redrive/testkit/services';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { mongodbDocumentsWith } from './mongodb-documents.ts';
import { newDatabase, urlOf } from './testing/url-of.ts';

let server: MongodbService;
let client: MongoClient;

// The first start on a machine may include fetching the server.
beforeAll(async () => {
  server = await startMongodb();
  client = new MongoClient(server.url);
}, 300_000);

afterAll(async () => {
  await client?.close();
  await server?.stop();
});

/** Servers before 8.0 get every change in a call of its own. */
describe.each([
  ['a server that answers each write of a list', undefined],
  ['an older server', 21],
])('documents of MongoDB, on %s', (_, wireVersion) => {
  documentSourceConformance(() => makeSource(wireVersion), { describe, it });
});

async function makeSource(wireVersion: number | undefined): Promise<DocumentsUnderTest> {
  const database = newDatabase();
  const source = mongodbDocumentsWith(urlOf(server, database), {}, wireVersion);
  const collection = testCollection('archives');
  await source.prepare(collection, { dryRun: false });
  const documents = client.db(database).collection<{ _id: string }>('archives');
  return {
    source,
    collection,
    async put({ id, status, count, timeMs, mark, title, lastError }) {
      const set = {
        ...(status !== undefined && { status }),
        ...(count !== undefined && { attemptCount: count }),
        ...(timeMs !== undefined && { lastAttemptTime: timeMs === null ? null : new Date(timeMs) }),
        ...(mark && { retry_sweep: mark }),
        ...(title !== undefined && { title }),
        ...(lastError !== undefined && { lastError }),
      };
      await documents.updateOne({ _id: id }, { $set: set }, { upsert: true });
    },
    close: async () => void (await client.db(database).dropDatabase()),
  };
}
