import { RedriveError } from '@redrive/core';
import type {
  ChangePage,
  ChangesRequest,
  DocumentChange,
  DocumentCollection,
} from '@redrive/durable/documents';
import { BSON, type Document, Long, type MongoClient, MongoServerError } from 'mongodb';
import { tokenText } from './read-token.ts';
import { valuesOf } from './stored-document.ts';

/** ChangeStreamHistoryLost, ChangeStreamFatalError, InvalidResumeToken. */
const LOST_POSITION: ReadonlySet<unknown> = new Set([286, 280, 260]);
const NOT_A_REPLICA_SET = 40573;

/**
 * One look at the change stream of a collection: opens it behind the position, takes a batch (at most 16 MiB), and closes
 * it. The position moves on without changes, too, so that a quiet collection does not fall behind the oplog.
 */
export async function changesIn(
  client: MongoClient,
  { name, fields }: DocumentCollection,
  { kinds, after, limit, waitMs }: ChangesRequest,
): Promise<ChangePage> {
  const stream = {
    // Unlike `resumeAfter`, also behind the end of a collection that was dropped.
    ...(after !== undefined && { startAfter: BSON.EJSON.parse(after) }),
    ...(kinds.includes('update') && { fullDocument: 'updateLookup' }),
  };
  const wanted =
    fields.read === 'all' ? [] : [`.${fields.id}`, ...fields.read.map((path) => `.${path}`)];
  const paths = (fields.read === 'all' ? [''] : wanted).map((path) => `fullDocument${path}`);
  const parts = ['operationType', 'documentKey', 'clusterTime', 'wallTime', ...paths];
  const pipeline = [
    { $changeStream: stream },
    { $match: { operationType: { $in: [...kinds, 'invalidate'] } } },
    { $project: Object.fromEntries(parts.filter(isOuter).map((part) => [part, 1])) },
  ];
  return client
    .withSession(async (session) => {
      const run = (command: Document) => client.db().command(command, { session });
      const cursor = { batchSize: limit };
      let batch: Document = (await run({ aggregate: name, pipeline, cursor })).cursor;
      let changes: readonly Document[] = batch.firstBatch;
      if (after !== undefined && changes.length === 0 && batch.id !== 0) {
        const getMore = Long.fromValue(batch.id);
        const more = { getMore, collection: name, batchSize: limit, maxTimeMS: waitMs };
        batch = (await run(more)).cursor;
        changes = batch.nextBatch;
      }
      if (batch.id !== 0) await run({ killCursors: name, cursors: [Long.fromValue(batch.id)] });
      const isChange = ({ operationType }: Document) => operationType !== 'invalidate';
      return {
        changes: changes.filter(isChange).map((change) => changeOf(change, fields)),
        // All of it: beside `_data` a token may have the types of the document's key.
        next: BSON.EJSON.stringify(batch.postBatchResumeToken),
      };
    })
    .catch((error: unknown) => {
      throw refusal(error, name) ?? error;
    });
}

/** MongoDB refuses a path beside the path that contains it. */
function isOuter(path: string, _: number, paths: readonly string[]): boolean {
  return !paths.some((other) => path.startsWith(`${other}.`));
}

function changeOf(change: Document, fields: DocumentCollection['fields']): DocumentChange {
  const { _id, operationType, clusterTime, wallTime, documentKey, fullDocument } = change;
  return {
    kind: operationType,
    token: _id._data,
    // Servers before 6.0 do not say the milliseconds.
    atMs: wallTime instanceof Date ? wallTime.getTime() : clusterTime.t * 1_000,
    readToken: tokenText(clusterTime),
    values: valuesOf(fields, fullDocument ?? documentKey),
  };
}

function refusal(error: unknown, name: string): RedriveError | undefined {
  if (!(error instanceof MongoServerError)) return undefined;
  const isLost = LOST_POSITION.has(error.code);
  if (!isLost && error.code !== NOT_A_REPLICA_SET) return undefined;
  const message = isLost
    ? `The oplog does not have the changes of ${name} after this position any more (${error.message})`
    : `Changes of ${name} need a replica set: this server is not a member of one`;
  return new RedriveError('documents_refused', message, { isLost }, { cause: error });
}
