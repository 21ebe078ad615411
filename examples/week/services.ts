// The four services. Each takes events, processes the documents that an event names, and publishes the next event.
import type { JobContext } from '@redrive/durable';
import { DocumentNotFoundError } from '@redrive/durable/events';
import { type Document, type Kind, pipeline } from './pipeline.ts';

/** The events of the services have lists of ids; those of a sweep may have one. */
interface Event {
  readonly event_id: string;
  readonly data: Readonly<Record<string, string | readonly string[]>>;
  readonly retry_sweep?: { readonly attempt: number };
}

type Process = (documents: readonly Document[], context: JobContext) => Promise<void>;

/** A service: finds the documents of the event, begins the attempt, and keeps the error of one that fails. */
function service(
  kind: Kind,
  process: Process,
  after?: (documents: readonly Document[]) => Promise<void>,
) {
  return async (event: Event, context: JobContext): Promise<string> => {
    const { count, collection, documents, isQueryable } = pipeline();
    count.add(count.attempts, context.handler);
    if (event.retry_sweep !== undefined) {
      const seen = count.swept.get(kind) ?? new Set();
      count.swept.set(kind, seen.add(event.event_id));
    }
    try {
      const ids = Object.values(event.data).flat();
      const found = await collection(kind)
        .find({ _id: { $in: ids } })
        .toArray();
      const readable = found.filter(({ _id }) => isQueryable(_id));
      // The event came before its documents can be read: it is tried again.
      if (readable.length < ids.length)
        throw new DocumentNotFoundError(`Found ${readable.length} of ${ids.length} ${kind}`);
      // The attempts of one event are one attempt at its documents.
      const begun: Document[] = [];
      for (const document of readable) {
        const isOpen = ['pending', 'processing'].includes(document.status ?? '');
        const isBegun =
          context.attempt === 1 ? (await documents(kind).begin(document._id, event)).begun : isOpen;
        if (isBegun) begun.push(document);
      }
      if (begun.length === 0) return 'nothing to do';
      await process(begun, context).catch(async (error) => {
        for (const { _id } of begun) await documents(kind).fail(_id, error);
        throw error;
      });
      for (const { _id } of begun) {
        count.add(count.processed, `${kind}/${_id}`);
        await documents(kind).succeed(_id);
      }
      await after?.(begun);
      return `${begun.length} ${kind}`;
    } catch (error) {
      count.add(count.failures, context.handler);
      if (context.attempt === context.maxAttempts) count.add(count.givenUp, context.handler);
      throw error;
    }
  };
}

/** Inserts documents that do not exist yet. Answers with their number. */
async function insert(kind: Kind, made: readonly Document[]): Promise<number> {
  const { collection, initialise } = pipeline();
  let inserted = 0;
  for (const { _id, ...rest } of made) {
    const values = { $setOnInsert: initialise(kind, rest) };
    inserted += (await collection(kind).updateOne({ _id }, values, { upsert: true })).upsertedCount;
  }
  return inserted;
}

/** Inserts the documents of the next service, and publishes their event; again if an attempt died in between. */
async function hand(kind: Kind, made: readonly Document[]): Promise<void> {
  await insert(kind, made);
  const ids = made.map(({ _id }) => _id);
  await pipeline().publish(kind, ids);
}

const MESSAGES_OF_AN_ARCHIVE = 5;

export const parseArchive = service('archives', async (archives) => {
  for (const { _id: parent } of archives) {
    for (let n = 1; n <= MESSAGES_OF_AN_ARCHIVE; n += 1) {
      const text = `Message ${n} of ${parent}. It has two sentences.`;
      await hand('messages', [{ _id: `${parent}/m-${n}`, parent, text }]);
    }
  }
});

export const chunkMessages = service('messages', async (messages) => {
  for (const { _id: message, parent = '', text = '' } of messages) {
    const sentences = text.split(/(?<=\.)\s+/);
    const chunks = sentences.map((sentence, n) => ({
      _id: `${message}/c-${n + 1}`,
      parent,
      text: sentence,
    }));
    await hand('chunks', chunks);
  }
});

/** The service that is broken for a week: its model does not answer. */
export const embedChunks = service(
  'chunks',
  async (chunks, { signal }) => {
    for (const { _id, text = '' } of chunks) {
      const request = { method: 'POST', body: text, headers: { 'x-chunk': _id }, signal };
      const response = await fetch(process.env.MODEL_URL ?? '', request);
      if (!response.ok)
        throw Object.assign(new Error('The model refused'), { status: response.status });
    }
  },
  requestSummaries,
);

/**
 * Archives without an open chunk: their thread can be summarised. Two attempts may find the same archive; the one that
 * inserts the thread publishes its event. If it dies in between, a sweep sends the event.
 */
async function requestSummaries(chunks: readonly Document[]): Promise<void> {
  const { collection } = pipeline();
  for (const parent of new Set(chunks.map(({ parent = '' }) => parent))) {
    const isOpen = await collection('chunks').findOne({ parent, status: { $ne: 'processed' } });
    const thread = { _id: `${parent}/thread`, parent };
    if (isOpen === null && (await insert('threads', [thread])) > 0)
      await pipeline().publish('threads', [thread._id]);
  }
}

export const summarizeThreads = service('threads', async () => {});
