import type { DocumentCollection } from '@redrive/durable/documents';
import { type Collection, type Document, MongoServerError } from 'mongodb';

interface Index {
  readonly key: Readonly<Record<string, 1>>;
  readonly partialFilterExpression?: Document;
}

/** Documents by the time of their attempt, claims that were not sent, stuck documents, and ids. */
function indexesOf({ fields }: DocumentCollection): readonly Index[] {
  const { id, status, time, mark } = fields;
  return [
    { key: { [status]: 1, [time]: 1, [id]: 1 } },
    { key: { [`${mark}.at`]: 1, [id]: 1 }, partialFilterExpression: { [`${mark}.sent`]: false } },
    {
      key: { [status]: 1, [`${mark}.firstStuckAt`]: 1, [id]: 1 },
      partialFilterExpression: { [`${mark}.firstStuckAt`]: { $exists: true } },
    },
    ...(id === '_id' ? [] : [{ key: { [id]: 1 } } as const]),
  ];
}

/** Creates the indexes that the collection lacks; an index of the user's own with the same fields does as well. */
export async function createIndexes(
  collection: Collection,
  wanted: DocumentCollection,
  dryRun: boolean,
): Promise<readonly string[]> {
  const existing = await indexesIn(collection);
  const missing = indexesOf(wanted).filter((index) => !existing.some((has) => isSame(has, index)));
  for (const { key, ...options } of dryRun ? [] : missing) {
    await collection.createIndex(key, options);
  }
  return missing.map(({ key, partialFilterExpression }) => {
    const [[name, value] = []] = Object.entries(partialFilterExpression ?? {});
    const condition = name && ` where ${name} ${value === false ? 'is false' : 'exists'}`;
    return `index on ${wanted.name} (${Object.keys(key).join(', ')})${condition ?? ''}`;
  });
}

/** The names of the indexes by which sets are read. */
export interface IndexNames {
  readonly unsent: string;
  /** `stuck` and `over`. */
  readonly stuck: string;
  readonly others: string;
}

/** `undefined`: the collection lacks one of them. */
export async function indexNames(
  collection: Collection,
  wanted: DocumentCollection,
): Promise<IndexNames | undefined> {
  const existing = await indexesIn(collection);
  const [others, unsent, stuck] = indexesOf(wanted).map(
    (index) => existing.find((has) => isSame(has, index))?.name as string | undefined,
  );
  if (unsent === undefined || stuck === undefined || others === undefined) return undefined;
  return { unsent, stuck, others };
}

async function indexesIn(collection: Collection): Promise<readonly Document[]> {
  try {
    return await collection.indexes();
  } catch (error) {
    const collectionDoesNotExist = 26;
    if (error instanceof MongoServerError && error.code === collectionDoesNotExist) return [];
    throw error;
  }
}

/** An index that leaves out more documents, or compares texts in another way, does not do. */
function isSame(has: Document, { key, partialFilterExpression }: Index): boolean {
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const isWhole = has.sparse !== true && has.hidden !== true && has.collation === undefined;
  const filter = has.partialFilterExpression;
  const isWideEnough = filter === undefined || same(filter, partialFilterExpression);
  return isWhole && isWideEnough && same(has.key, key);
}
