import { type Clock, RedriveError, systemClock } from '@redrive/core';
import {
  type CountRequest,
  type DocumentCollection,
  type DocumentMark,
  type DocumentPage,
  type DocumentSource,
  type FindRequest,
  MAX_DOCUMENT_PAGE,
  MAX_TIME_AHEAD_MS,
  type StoredDocument,
} from '../document-source/document-source.ts';
import {
  changesBy,
  type DocumentWrite,
  type MarkChange,
  newParts,
  newValues,
  pageBytes,
  type WriteDocuments,
  type WriteTarget,
} from '../document-source/document-write.ts';
import { compareText } from './compare-text.ts';

/** A document in memory: times are `Date`s, the mark is an object. */
export type MemoryDocument = Readonly<Record<string, unknown>>;

/** Documents in memory: the model of the other sources. */
export interface MemoryDocuments extends DocumentSource {
  /** Inserts or replaces a document, or changes fields of it. */
  put(collection: DocumentCollection, document: MemoryDocument): void;
  get(collection: DocumentCollection, id: string): MemoryDocument | undefined;
}

/** A document source in memory, for tests and examples. Its contents end with the process. */
export function memoryDocuments({
  clock = systemClock,
}: {
  readonly clock?: Clock;
} = {}): MemoryDocuments {
  return new MemorySource(clock);
}

class MemorySource implements MemoryDocuments {
  readonly name = 'memory';
  readonly #clock: Clock;
  readonly #changes: ReturnType<typeof changesBy>;
  #isClosed = false;
  readonly #tables = new Map<string, Map<string, MemoryDocument>>();

  constructor(clock: Clock) {
    this.#clock = clock;
    const write: WriteDocuments = (...args) => this.#write(...args);
    this.#changes = changesBy(write, (...args) => this.byIds(...args));
  }

  claim: DocumentSource['claim'] = (...args) => this.#changes.claim(...args);
  settle: DocumentSource['settle'] = (...args) => this.#changes.settle(...args);
  fail: DocumentSource['fail'] = (...args) => this.#changes.fail(...args);
  record: DocumentSource['record'] = (...args) => this.#changes.record(...args);
  reset: DocumentSource['reset'] = (...args) => this.#changes.reset(...args);
  note: DocumentSource['note'] = (...args) => this.#changes.note(...args);

  put(collection: DocumentCollection, document: MemoryDocument): void {
    const id = String(document[collection.fields.id]);
    const table = this.#table(collection.name);
    table.set(id, { ...table.get(id), ...document });
  }

  get({ name }: DocumentCollection, id: string): MemoryDocument | undefined {
    return this.#table(name).get(id);
  }

  async find(collection: DocumentCollection, request: FindRequest): Promise<DocumentPage> {
    this.#check(request.limit);
    const { limit, after, newestFirst = false } = request;
    const nowMs = this.#clock.now();
    const sign = newestFirst ? -1 : 1;
    const keyOf = ({ mark, timeMs, firstStuckMs = 0 }: StoredDocument) => {
      if (request.set === 'unsent') return mark?.atMs ?? 0;
      return request.set === 'stuck' || request.set === 'over' ? firstStuckMs : sortable(timeMs);
    };
    const compare = ([one, a]: Place, [other, b]: Place) =>
      sign * (one === other ? compareText(a, b) : one < other ? -1 : 1);
    const from = after === undefined ? undefined : placeOf(after);
    const places = this.#in(collection, request, nowMs)
      .map((document) => ({ document, place: [keyOf(document), document.id] as Place }))
      .filter(({ place }) => from === undefined || compare(place, from) > 0)
      .sort((one, other) => compare(one.place, other.place));
    const fits = pageBytes();
    const end = places
      .slice(0, limit)
      .findIndex(({ document }) => !fits(JSON.stringify(document).length));
    const page = places.slice(0, end === -1 ? limit : end);
    const last = page.at(-1);
    const documents = page.map(({ document }) => document);
    if (last === undefined || page.length === places.length) return { nowMs, documents };
    return { nowMs, documents, next: cursorOf(last.place) };
  }

  async #write(
    collection: DocumentCollection,
    { where, set }: DocumentWrite,
    targets: readonly WriteTarget[],
  ): Promise<readonly boolean[]> {
    this.#check(targets.length);
    const { fields } = collection;
    const table = this.#table(collection.name);
    const now = new Date(this.#clock.now());
    return targets.map((target) => {
      const document = table.get(target.id);
      if (document === undefined || !isMet(where, collection, document, target)) return false;
      const values = newValues<unknown>(
        { set },
        {
          status: (status) => status,
          count: (word) => (word === 'raised' ? raised(document[fields.count]) : word),
          time: (word) => (word === 'now' ? now : null),
          mark: (change) => newMark(collection, document, change, target, now),
          error: (word) => (word === 'given' ? target.error : undefined),
        },
      );
      const changes = values.map(([field, value]) => [fields[field], value]);
      table.set(target.id, { ...document, ...Object.fromEntries(changes) });
      return true;
    });
  }

  async remove(
    collection: DocumentCollection,
    ids: readonly string[],
    { archive }: { readonly archive: boolean },
  ) {
    const table = this.#table(collection.name);
    return ids.map((id) => {
      const document = table.get(id);
      if (document?.[collection.fields.status] !== collection.failed) return false;
      if (archive) this.#table(`${collection.name}_dead_letters`).set(id, document);
      return table.delete(id);
    });
  }

  async count(collection: DocumentCollection, set: CountRequest, atMost: number) {
    const all = this.#in(collection, set, this.#clock.now());
    return Math.min(all.length, atMost);
  }

  async byIds(collection: DocumentCollection, ids: readonly string[]): Promise<DocumentPage> {
    this.#check(ids.length);
    const table = this.#table(collection.name);
    const found = ids.map((id) => table.get(id)).filter((document) => document !== undefined);
    const documents = found.map((document) => shown(collection, document));
    return { nowMs: this.#clock.now(), documents };
  }

  async prepare(): Promise<readonly string[]> {
    return [];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  /** As an adapter does: after a close there is no connection, and a database has its limits. */
  #check(size: number): void {
    const about = { source: this.name };
    if (this.#isClosed)
      throw new RedriveError('documents_unavailable', 'The documents are closed', about);
    if (size > MAX_DOCUMENT_PAGE) {
      const text = `A call has at most ${MAX_DOCUMENT_PAGE} documents, not ${size}`;
      throw new RedriveError('documents_refused', text, about);
    }
  }

  #table(name: string): Map<string, MemoryDocument> {
    const table = this.#tables.get(name) ?? new Map<string, MemoryDocument>();
    this.#tables.set(name, table);
    return table;
  }

  #in(collection: DocumentCollection, set: CountRequest, nowMs: number): StoredDocument[] {
    const all = [...this.#table(collection.name).values()];
    return all
      .map((document) => shown(collection, document))
      .filter((document) => isIn(document, collection, set, nowMs));
  }
}

/** Whether the condition of a write holds. */
function isMet(
  where: DocumentWrite['where'],
  collection: DocumentCollection,
  document: MemoryDocument,
  { stamp, event }: WriteTarget,
): boolean {
  const { status, mark } = collection.fields;
  if (where === 'failed') return document[status] === collection.failed;
  const own = markOf(document[mark]);
  if (where === 'claimed') return own?.event === event && own?.sent === false;
  const isUnchanged = stampOf(collection, document) === stamp;
  return isUnchanged && (where === 'unchanged' || own?.sent !== false);
}

/** The count after one more attempt. What is not a number stays. */
function raised(count: unknown): unknown {
  return count === undefined || count === null ? 1 : typeof count === 'number' ? count + 1 : count;
}

function newMark(
  { fields }: DocumentCollection,
  document: MemoryDocument,
  change: MarkChange | 'none',
  { event }: WriteTarget,
  now: Date,
): unknown {
  if (change === 'none') return undefined;
  const own = document[fields.mark];
  const before: Record<string, unknown> = Array.isArray(own) ? {} : { ...Object(own) };
  const count = Number(document[fields.count] ?? 0);
  const added = newParts<unknown>(change, (value, part) => {
    const words = { event, now, kept_or_now: before[part] ?? now, next: count + 1, current: count };
    return typeof value === 'string' ? words[value] : value;
  });
  for (const part of change.remove) delete before[part];
  const mark = { ...before, ...Object.fromEntries(added) };
  return Object.keys(mark).length === 0 ? undefined : mark;
}

function isIn(
  { status, timeMs, mark, firstStuckMs }: StoredDocument,
  { pending, done, failed }: DocumentCollection,
  set: CountRequest,
  nowMs: number,
): boolean {
  const isPending = pending.includes(status);
  switch (set.set) {
    case 'all':
      return true;
    case 'failed':
      return status === failed;
    case 'unsent':
      return mark !== undefined && !mark.sent && mark.atMs <= nowMs - set.olderThanMs;
    case 'stuck':
      return isPending && firstStuckMs !== undefined;
    case 'over':
      return done.includes(status) && firstStuckMs !== undefined;
    case 'due':
      return (
        isPending &&
        mark?.sent !== false &&
        !(Number(timeMs) >= nowMs - set.olderThanMs) &&
        !Number.isNaN(timeMs)
      );
    case 'ahead':
      return isPending && !(Number(timeMs) <= nowMs + MAX_TIME_AHEAD_MS);
  }
}

type Place = readonly [key: number, id: string];

const sortable = (timeMs: number | null) =>
  timeMs === null ? -Infinity : Number.isNaN(timeMs) ? Infinity : timeMs;
const cursorOf = ([key, id]: Place) => JSON.stringify([String(key), id]);
function placeOf(cursor: string): Place {
  const [key, id]: [string, string] = JSON.parse(cursor);
  return [Number(key), id];
}

/** Status, count and time; the last two in a list, so that a missing one differs from null. */
function stampOf({ fields }: DocumentCollection, document: MemoryDocument): string {
  const parts = [document[fields.count], document[fields.time]];
  const kept = parts.map((part) => (part === undefined ? null : [part]));
  return JSON.stringify([document[fields.status], ...kept]);
}

function timeMsOf(value: unknown): number | null {
  if (value === null || value === undefined) return null;
  return value instanceof Date ? value.getTime() : Number.NaN;
}

/** A mark without a claim is none. */
function markOf(value: unknown): DocumentMark | undefined {
  const { event, sent, at, attempt }: MemoryDocument = Object(value);
  if (event === undefined && sent === undefined) return undefined;
  return {
    event: typeof event === 'string' ? event : '',
    sent: sent === true,
    atMs: timeMsOf(at) ?? 0,
    ...(typeof attempt === 'number' && { attempt }),
  };
}

function shown(collection: DocumentCollection, document: MemoryDocument): StoredDocument {
  const { fields } = collection;
  const error = document[fields.error];
  const createdMs = fields.created === undefined ? null : timeMsOf(document[fields.created]);
  const { firstStuckAt, foundAt }: MemoryDocument = Object(document[fields.mark]);
  const [firstStuckMs, foundMs] = [timeMsOf(firstStuckAt), timeMsOf(foundAt)];
  return {
    id: String(document[fields.id]),
    status: String(document[fields.status]),
    count: document[fields.count] ?? null,
    timeMs: timeMsOf(document[fields.time]),
    stamp: stampOf(collection, document),
    mark: markOf(document[fields.mark]),
    ...(Number.isFinite(firstStuckMs) && { firstStuckMs: Number(firstStuckMs) }),
    ...(Number.isFinite(foundMs) && { foundMs: Number(foundMs) }),
    ...(createdMs !== null && { createdMs }),
    ...(typeof error === 'string' && { error }),
    // Read for a set of thousands, of which a page is shown.
    get values() {
      const names = fields.read === 'all' ? Object.keys(document) : fields.read;
      const read = names.filter((name) => document[name] !== undefined);
      const own = Object.fromEntries(read.map((name) => [name, document[name]]));
      return JSON.parse(JSON.stringify(own));
    },
  };
}
