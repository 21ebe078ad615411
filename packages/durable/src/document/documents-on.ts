import { RedriveError } from '@redrive/core';
import { sanitiseError } from '@redrive/core/stored';
import type {
  AttemptChange,
  DocumentCollection,
  DocumentSource,
} from '../document-source/document-source.ts';
import { hashOf } from '../event/event-id.ts';
import type { EnqueueOptions } from '../jobs/jobs.ts';
import type { OutgoingEvent } from '../outbox/publish-handler.ts';
import { eventBody } from './original-event.ts';
import { countOf, invalidDocument, type SweepEvent } from './sweep.ts';

/** The service's side of a collection that is swept, made by `documentsOn`. Every write is a compare-and-set. */
export interface OwnDocuments {
  /** A new document, pending and never attempted. Insert it with your own driver. */
  initialise<T extends object>(document: T): T & Readonly<Record<string, unknown>>;
  /**
   * Begins an attempt at a document in a pending status: the time becomes now, and the count is raised, unless a sweep
   * sent the event: then the sweep counts the attempt, whose number is in the event. The event may arrive before the count.
   *
   * @param event the body that started the attempt, as parsed JSON. Default: none, so the attempt is counted.
   */
  begin(id: string, event?: unknown): Promise<BegunAttempt>;
  /**
   * The document is done: its status becomes the first of `collection.done`, also where a sweep has marked it as failed
   * meanwhile, and its error is removed. `false`: it does not exist, or has another status of yours.
   */
  succeed(id: string): Promise<boolean>;
  /**
   * Keeps the error in the document, sanitised and bounded, and then publishes the failed event. Status, count and time
   * stay: a sweep sends the document again. `false`: it is done or does not exist, so nothing is written or published.
   *
   * @param event the body that started the attempt, as for `begin`: the failed event has it as `original_event`, so that
   *   it can be sent again. One of more than 512 KiB is left out.
   * @throws RedriveError of the enqueue: the error is kept, and the event is not stored. Call it again.
   */
  fail(id: string, error: unknown, event?: unknown): Promise<boolean>;
}

/** Not `begun`: the document is done, failed or in another status of yours, or does not exist. Skip the event. */
export type BegunAttempt =
  | { readonly begun: true; readonly attempt: number }
  | { readonly begun: false; readonly status?: string | undefined };

/** The event of `fail`, and the jobs that publish it: `jobsOn(store, { 'events.publish': publishHandler(buses) })`. */
export interface FailedEvent extends SweepEvent {
  readonly jobs: {
    enqueue(
      handler: 'events.publish',
      payload: OutgoingEvent,
      options?: EnqueueOptions,
    ): Promise<unknown>;
  };
}

const MAX_ORIGINAL_BYTES = 524_288;

/** Without what a sweep has added: sent again, it counts as an attempt of its own. */
function originalOf(event: unknown): { readonly original_event?: unknown } {
  const { retry_sweep: _, ...original } = Object(event);
  const bytes = Buffer.byteLength(JSON.stringify(original));
  const isKept = event !== undefined && bytes <= MAX_ORIGINAL_BYTES;
  return isKept ? { original_event: original } : {};
}

/** Each try reads the document anew: one that loses this often is not a race any more. */
const MAX_TRIES = 10;

/** Reports the attempts of a service at its documents. @param options `failed`: the event of `fail`. Default: none. */
export function documentsOn(
  source: DocumentSource,
  collection: DocumentCollection,
  { failed }: { readonly failed?: FailedEvent | undefined } = {},
): OwnDocuments {
  const { fields, pending, done, name } = collection;
  const unfinished = [...pending, collection.failed];

  /** Writes the change to a document in one of these statuses. Answers with the document before it. */
  async function write(id: string, statuses: readonly string[], change: AttemptChange) {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const { documents, nowMs } = await source.byIds(collection, [id]);
      const [document] = documents;
      if (document === undefined || !statuses.includes(document.status)) return { document };
      // A time that is ahead of the clock does no harm here.
      const problem = invalidDocument(document, Infinity);
      if (problem !== undefined) throw refused('documents_refused', id, `${problem}. Correct it`);
      const { stamp } = document;
      const [isWritten] = await source.record(collection, [{ id, stamp, ...change }]);
      if (isWritten) return { document, written: { document, nowMs } };
    }
    throw refused('documents_unavailable', id, `It changed ${MAX_TRIES} times. Call again`);
  }

  const refused = (code: 'documents_refused' | 'documents_unavailable', id: string, why: string) =>
    new RedriveError(code, `Document ${id} of ${name}: ${why}`, { collection: name, document: id });

  return {
    initialise: (document) => ({
      ...document,
      ...{ [fields.status]: pending[0], [fields.count]: 0, [fields.time]: null },
    }),
    async begin(id, event) {
      const swept: unknown = Object(event).retry_sweep;
      const isCounted = !swept;
      const given: unknown = Object(swept).attempt;
      const { document, written } = await write(id, pending, { to: 'begun', isCounted });
      if (written === undefined) return { begun: false, status: document?.status };
      const count = countOf(written.document);
      if (isCounted) return { begun: true, attempt: count + 1 };
      const isNumber = Number.isSafeInteger(given) && Number(given) > 0;
      return { begun: true, attempt: isNumber ? Number(given) : count };
    },
    async succeed(id) {
      const { document, written } = await write(id, unfinished, { to: 'succeeded' });
      return written !== undefined || done.includes(document?.status ?? '');
    },
    async fail(id, error, event) {
      const { type, message } = sanitiseError(error);
      // Databases refuse a NUL and half a surrogate pair.
      const text = `${type}: ${message}`.replaceAll('\0', '').toWellFormed();
      const { written } = await write(id, unfinished, { to: 'failed', error: text });
      if (written === undefined || failed === undefined) return written !== undefined;
      const { document, nowMs } = written;
      const attempt_count = countOf(document);
      // The key belongs to the attempt: after a crash the same event may be published again.
      const key = hashOf([name, id, attempt_count, document.timeMs].join('\n'));
      const body = eventBody(failed, key, nowMs, document.values);
      const data = { ...Object(body.data), error_type: type, last_error: text, attempt_count };
      const { jobs, bus, destination } = failed;
      const payload = { bus, destination, event: { ...body, data, ...originalOf(event) } };
      await jobs.enqueue('events.publish', payload, { uniqueKey: key });
      return true;
    },
  };
}
