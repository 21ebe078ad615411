import type { StoredDocument } from '../document-source/document-source.ts';
import type { EventDocumentStore, NewestEvent } from '../event/event-documents.ts';
import { SESSION_HEADER } from '../event/event-headers.ts';
import type { Job } from '../job/job.ts';
import type { Store } from '../store/store.ts';
import { fillTemplate } from './event-template.ts';
import type { EventBody, Sweep, SweepEvent } from './sweep.ts';

/** The event that a document was started with, as somebody published it. */
export interface OriginalEvent {
  readonly body: Readonly<Record<string, unknown>>;
  /** Of the job that has the event. */
  readonly correlationId?: string | undefined;
}

export type OriginalEvents = Pick<Store, 'job' | 'finished'> & EventDocumentStore;

/** The body of an event, but for what says who sends it. */
export type MadeEvent = Readonly<Record<string, unknown>> &
  Pick<EventBody, 'event_id' | 'timestamp'>;

/** Bytes of stored events that are read at once. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

/** The event in the field that the collection names. `undefined`: none is named, or it has no JSON object. */
export function eventInField(
  { field }: SweepEvent,
  { values }: Pick<StoredDocument, 'values'>,
): OriginalEvent | undefined {
  const value = field === undefined ? undefined : values[field];
  const body = typeof value === 'string' ? parsed(value) : value;
  return isRecord(body) ? { body } : undefined;
}

/** Per document without an event in its field, the newest stored event. One query. */
export async function newestEvents(
  store: EventDocumentStore,
  { name, event }: Pick<Sweep, 'name' | 'event'>,
  documents: readonly StoredDocument[],
): Promise<ReadonlyMap<string, NewestEvent>> {
  if (event.source === undefined) return new Map();
  const without = documents.filter((document) => eventInField(event, document) === undefined);
  return store.newestEvents(
    name,
    without.map(({ id }) => id),
  );
}

/** The events of these jobs, by the id of the job. Those that are gone, or no JSON objects, are left out. */
export async function storedEvents(
  store: Pick<Store, 'job' | 'finished'>,
  events: Iterable<NewestEvent>,
): Promise<ReadonlyMap<string, OriginalEvent>> {
  const found = new Map<string, OriginalEvent>();
  const read = async (ids: readonly string[]) => {
    const jobs = new Map((await store.finished(ids)).map((job) => [job.id, job]));
    for (const id of ids) {
      // An event that is still tried is sent again where its document is stuck all the same.
      const job = jobs.get(id) ?? (await store.job(id));
      const event = job && eventOf(job);
      if (event !== undefined) found.set(id, event);
    }
  };
  let ids: string[] = [];
  let bytes = 0;
  for (const event of new Map([...events].map((each) => [each.job, each])).values()) {
    if (ids.length > 0 && bytes + event.bytes > MAX_READ_BYTES) {
      await read(ids);
      [ids, bytes] = [[], 0];
    }
    ids.push(event.job);
    bytes += event.bytes;
  }
  if (ids.length > 0) await read(ids);
  return found;
}

/** The event of one document: that of its field, else the newest stored one. `undefined`: it has none. */
export async function originalEvent(
  store: OriginalEvents | undefined,
  sweep: Pick<Sweep, 'name' | 'event'>,
  document: StoredDocument,
): Promise<OriginalEvent | undefined> {
  const own = eventInField(sweep.event, document);
  if (own !== undefined || store === undefined) return own;
  const newest = await newestEvents(store, sweep, [document]);
  const [event] = (await storedEvents(store, newest.values())).values();
  return event;
}

/**
 * The body of the event that is sent: the original with another id and time, else one that is made of the template.
 *
 * @param values of the document, by field.
 */
export function eventBody(
  { type, data }: SweepEvent,
  id: string,
  atMs: number,
  values: StoredDocument['values'],
  original?: OriginalEvent,
): MadeEvent {
  const { retry_sweep: _, ...body } = original?.body ?? {
    event_type: type,
    data: fillTemplate(data, values),
  };
  return { ...body, event_id: id, timestamp: new Date(atMs).toISOString() };
}

/** The header that carries the session of the original event to its consumer. `undefined`: it has none. */
export function sessionHeader(
  original: OriginalEvent | undefined,
): Readonly<Record<string, string>> | undefined {
  const { correlationId } = original ?? {};
  return correlationId === undefined ? undefined : { [SESSION_HEADER]: correlationId };
}

/** An event of a tenant is for nobody else. */
function eventOf({ payload, correlationId, tenant }: Job): OriginalEvent | undefined {
  const body = payload.kind === 'json' && tenant === '' ? parsed(payload.text) : undefined;
  return isRecord(body) ? { body, correlationId } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
