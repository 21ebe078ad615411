import { type Clock, isRedriveError, RedriveError, systemClock } from '@redrive/core';
import { mongodbErrors } from '@redrive/core/classify/mongodb';
import { nodeErrors } from '@redrive/core/classify/node';
import {
  DOCUMENT_TIMEOUT_MS,
  type DocumentCollection,
  type DocumentSet,
  type DocumentSource,
} from '@redrive/durable/documents';
import { changesBy, pageBytes } from '@redrive/durable/store';
import { BSON, type Collection, type Document } from 'mongodb';
import { parseAddress } from './address.ts';
import { changesIn } from './change-stream.ts';
import { changeOf } from './changes.ts';
import { checkNames } from './check-names.ts';
import { idValue } from './document-id.ts';
import { createIndexes, type IndexNames, indexNames } from './indexes.ts';
import { positionAfter, rangesOf, type Scan, scansOf } from './scans.ts';
import { projectionOf, storedDocument } from './stored-document.ts';
import { type Write, writeEach } from './write-changes.ts';

export interface MongodbDocumentsOptions {
  /** For tests: all times come from here. Default: the server's clock. */
  readonly clock?: Clock | undefined;
}

/** The index by which a set is read. */
const INDEX: Readonly<Record<DocumentSet['set'], keyof IndexNames>> = {
  ...{ unsent: 'unsent', stuck: 'stuck', over: 'stuck' },
  ...{ due: 'others', ahead: 'others', failed: 'others' },
};

/** Building an index reads the whole collection. */
const PREPARE_TIMEOUT_MS = 600_000;

/**
 * Documents of a MongoDB database, for sweeps. Connects at the first call. Writes are acknowledged by the majority of a
 * replica set; times are the server's. Works with MongoDB 6.0 and newer.
 *
 * @param url `mongodb://user:password@host:27017/database` or `mongodb+srv://…`.
 * @throws RedriveError `invalid_option` for another URL, or one without a database.
 */
export function mongodbDocuments(
  url: string,
  options: MongodbDocumentsOptions = {},
): DocumentSource {
  return mongodbDocumentsWith(url, options);
}

/** @internal With the version of the server's protocol, which tests set to that of an old server. */
export function mongodbDocumentsWith(
  url: string,
  { clock }: MongodbDocumentsOptions,
  wireVersion?: number,
): DocumentSource {
  const { name, client } = parseAddress(url, {
    appName: 'redrive',
    serverSelectionTimeoutMS: DOCUMENT_TIMEOUT_MS,
    connectTimeoutMS: DOCUMENT_TIMEOUT_MS,
    waitQueueTimeoutMS: DOCUMENT_TIMEOUT_MS,
    writeConcern: { w: 'majority' },
    readPreference: 'primary',
  });
  const hello = () => client.db().command({ hello: 1 });
  const now = () => (clock === undefined ? '$$NOW' : new Date(clock.now()));
  let isClosed = false;
  const serverNowMs = async () => clock?.now() ?? Number((await hello()).localTime);

  async function call<T>(
    operation: string,
    collection: DocumentCollection,
    work: (documents: Collection) => Promise<T>,
    limitMs = DOCUMENT_TIMEOUT_MS,
  ): Promise<T> {
    checkNames(collection);
    const what = `${operation} in ${collection.name}`;
    try {
      if (isClosed) throw new Error('the source is closed');
      return await within(limitMs, work(client.db().collection(collection.name)));
    } catch (error) {
      // One of the indexes may be gone.
      indexes.clear();
      throw documentsError(name, what, error);
    }
  }

  /**
   * By name, because the server chooses by the first 101 documents of a page: where those have the lowest ids, it walks the
   * index of ids, and may read the whole collection for the rest of the page.
   */
  const indexes = new Map<string, IndexNames>();
  async function namesOf(documents: Collection, collection: DocumentCollection) {
    const key = JSON.stringify([collection.name, collection.fields]);
    const known = indexes.get(key) ?? (await indexNames(documents, collection));
    if (known !== undefined) indexes.set(key, known);
    return known;
  }

  const write = (
    operation: string,
    collection: DocumentCollection,
    writes: readonly (Write | undefined)[],
  ): Promise<readonly boolean[]> =>
    call(operation, collection, async (documents) => {
      wireVersion ??= Number((await hello()).maxWireVersion);
      return writeEach(client, documents, writes, wireVersion);
    });

  const byIds: DocumentSource['byIds'] = (collection, ids) =>
    call('Find', collection, async (documents) => {
      const nowMs = await serverNowMs();
      const filter = { [collection.fields.id]: { $in: ids.map(idValue) } };
      const found = documents.find(filter, { projection: projectionOf(collection) });
      const all = ids.length === 0 ? [] : await found.toArray();
      return { nowMs, documents: all.map((document) => storedDocument(collection, document)) };
    });

  return {
    name,
    find: (collection, request) =>
      call('Find', collection, async (documents) => {
        const nowMs = await serverNowMs();
        const projection = projectionOf(collection);
        const names = await namesOf(documents, collection);
        const hint = names?.[INDEX[request.set]];
        const page: { readonly scan: Scan; readonly document: Document }[] = [];
        const fits = pageBytes();
        let isWhole = true;
        for (const scan of scansOf(collection, request, nowMs)) {
          // One more than the page has, to know whether there is a next one. Raw, for its size; a batch has at most 16 MiB.
          const limit = request.limit + 1 - page.length;
          const sorted = { projection, sort: scan.sort, limit, raw: true } as const;
          const options = hint === undefined ? sorted : { ...sorted, hint };
          for await (const bytes of documents.find<Uint8Array>(scan.filter, options)) {
            isWhole = page.length < request.limit && fits(bytes.length);
            if (!isWhole) break;
            page.push({ scan, document: BSON.deserialize(bytes) });
          }
          if (!isWhole) break;
        }
        const last = isWhole ? undefined : page.at(-1);
        return {
          nowMs,
          documents: page.map(({ document }) => storedDocument(collection, document)),
          ...(last && { next: positionAfter(collection, request, last.scan, last.document) }),
        };
      }),
    ...changesBy(async (collection, one, targets) => {
      const at = now();
      const changes = targets.map((target) => changeOf(collection, one, target, at));
      const operation = one.operation.replace(/^./, (first) => first.toUpperCase());
      return write(operation, collection, changes);
    }, byIds),
    byIds,
    async remove(collection, ids, { archive }) {
      const { id, status } = collection.fields;
      const isFailed = { [status]: collection.failed };
      if (archive && ids.length > 0) {
        await call('Archive', collection, async (documents) => {
          const into = `${collection.name}_dead_letters`;
          const match = { ...isFailed, [id]: { $in: ids.map(idValue) } };
          const merge = { into, on: '_id', whenMatched: 'replace' } as const;
          await documents.aggregate([{ $match: match }, { $merge: merge }]).toArray();
        });
      }
      const deletions = ids.map((own) => ({ filter: { ...isFailed, [id]: idValue(own) } }));
      return write('Remove', collection, deletions);
    },
    count: (collection, set, atMost) =>
      call('Count', collection, async (documents) => {
        const ranges =
          set.set === 'all' ? [{ filter: {} }] : rangesOf(collection, set, await serverNowMs());
        let counted = 0;
        for (const { filter } of ranges) {
          if (counted === atMost) break;
          counted += await documents.countDocuments(filter, { limit: atMost - counted });
        }
        return counted;
      }),
    prepare(collection, { dryRun }) {
      const create = (documents: Collection) => createIndexes(documents, collection, dryRun);
      return call('Prepare', collection, create, PREPARE_TIMEOUT_MS);
    },
    changes: (collection, request) =>
      call('Changes', collection, () => changesIn(client, collection, request)),
    async close() {
      isClosed = true;
      await client.close();
    },
  };
}

/** The driver has limits for parts of a call, and none for a call to a server that stays silent. */
function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const silent = () => reject(new Error(`the server did not answer within ${limitMs} ms`));
    const timer = systemClock.setTimer(limitMs, silent);
    work.then(resolve, reject).finally(() => timer.cancel());
  });
}

/** Makes an error of the driver one of the port: `documents_refused` where the same call would fail again. */
function documentsError(source: string, operation: string, cause: unknown): RedriveError {
  if (isRedriveError(cause)) return cause;
  const context = { attempt: 1, nowMs: 0 };
  const known = mongodbErrors(cause, context) ?? nodeErrors(cause, context);
  const code = known?.errorClass === 'final' ? 'documents_refused' : 'documents_unavailable';
  const text = cause instanceof Error && cause.message !== '' ? cause.message : String(cause);
  return new RedriveError(code, `${operation} failed on ${source}: ${text}`, { source }, { cause });
}
