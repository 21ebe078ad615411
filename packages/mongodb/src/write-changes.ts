import {
  type AnyClientBulkWriteModel,
  type ClientBulkWriteResult,
  type Collection,
  type Document,
  type MongoClient,
  MongoClientBulkWriteError,
  MongoServerError,
} from 'mongodb';
import type { Change } from './changes.ts';

/** A change, or the deletion of the document that the filter finds. */
export type Write = Change | { readonly filter: Document; readonly update?: undefined };

/** Servers from 8.0 on answer a list of writes with a result for each. */
const BULK_WRITE_WIRE_VERSION = 25;

/**
 * Writes a list, each in a statement of its own: one may be written and the next not. Answers in the same order whether
 * its filter has matched. A document that the server refuses, by a validator or an index of its collection, is not written; if it
 * refuses all of them, this rejects.
 */
export async function writeEach(
  client: MongoClient,
  collection: Collection,
  writes: readonly (Write | undefined)[],
  wireVersion: number,
): Promise<boolean[]> {
  const given = writes.filter((write) => write !== undefined);
  if (given.length === 0) return writes.map(() => false);
  const inOne = wireVersion >= BULK_WRITE_WIRE_VERSION;
  const results = inOne
    ? await inBulk(client, collection, given)
    : await oneByOne(collection, given);
  let next = 0;
  return writes.map((write) => write !== undefined && results[next++] === true);
}

async function inBulk(
  client: MongoClient,
  { namespace }: Collection,
  writes: readonly Write[],
): Promise<boolean[]> {
  const models = writes.map(
    ({ filter, update }): AnyClientBulkWriteModel<Document> =>
      update === undefined
        ? { name: 'deleteOne', namespace, filter }
        : { name: 'updateOne', namespace, filter, update },
  );
  const result = await client
    .bulkWrite(models, { ordered: false, verboseResults: true })
    .catch((error: unknown) => partialOf(error, writes.length));
  return writes.map((_, index) => {
    const matched = result.updateResults?.get(index)?.matchedCount ?? 0;
    const deleted = result.deleteResults?.get(index)?.deletedCount ?? 0;
    return matched + deleted > 0;
  });
}

/** The result for the other writes, where the server refused some of them and nothing else is wrong. */
function partialOf(error: unknown, length: number): ClientBulkWriteResult {
  if (!(error instanceof MongoClientBulkWriteError)) throw error;
  const { partialResult, writeErrors, writeConcernErrors, cause } = error;
  const isWhole = cause === undefined && writeConcernErrors.length === 0;
  if (isWhole && partialResult !== undefined && writeErrors.size < length) return partialResult;
  // Its own text says only that there are errors.
  const [first] = writeErrors.values();
  throw (
    cause ?? (first ? new MongoServerError({ message: first.message, code: first.code }) : error)
  );
}

async function oneByOne(collection: Collection, writes: readonly Write[]): Promise<boolean[]> {
  const results = await Promise.allSettled(
    writes.map(async ({ filter, update }) =>
      update === undefined
        ? (await collection.deleteOne(filter)).deletedCount > 0
        : (await collection.updateOne(filter, update)).matchedCount > 0,
    ),
  );
  const failures = results.filter((result) => result.status === 'rejected');
  // The driver gives an error of one write its place in the list; others concern the server or the connection.
  const other = failures.find(({ reason }) => Object(reason).index !== 0);
  const failure = other ?? (failures.length === writes.length ? failures[0] : undefined);
  if (failure !== undefined) throw failure.reason;
  return results.map((result) => result.status === 'fulfilled' && result.value);
}
