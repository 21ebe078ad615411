import type { DocumentCollection, DocumentMark, StoredDocument } from '@redrive/durable/documents';
import { Binary, BSON, Decimal128, type Document, Long, ObjectId } from 'mongodb';
import { idText } from './document-id.ts';

/** The names of all fields that a page needs. None: the whole document. */
export function projectionOf({ fields }: DocumentCollection): Document {
  const { id, status, count, time, mark, error, created, read } = fields;
  if (read === 'all') return {};
  const wanted = [id, status, count, time, mark, error, ...(created ? [created] : []), ...read];
  // MongoDB refuses a path beside the path that contains it.
  const paths = wanted.filter((path) => !wanted.some((other) => path.startsWith(`${other}.`)));
  return Object.fromEntries(paths.map((path) => [path, 1]));
}

export function storedDocument({ fields }: DocumentCollection, document: Document): StoredDocument {
  const id = document[fields.id];
  const [status, count, time] = [fields.status, fields.count, fields.time].map(
    (name) => document[name],
  );
  const text = idText(id);
  const mark = markOf(document[fields.mark]);
  const { firstStuckAt, foundAt }: Document = Object(document[fields.mark]);
  const createdMs = createdOf(fields.created ? valueAt(document, fields.created) : id);
  const error = document[fields.error];
  // An index also leads to arrays that have a pending status among others, and to ids that no text stands for. Without a
  // valid time the sweep leaves the document alone.
  const isReadable = text !== undefined && typeof status === 'string';
  return {
    id: text ?? JSON.stringify(plain(id) ?? String(id)).slice(0, 200),
    status: typeof status === 'string' ? status : '',
    count: plain(count) ?? null,
    timeMs: isReadable ? timeOf(time) : Number.NaN,
    stamp: stampOf({ status, count, time }),
    ...(mark && { mark }),
    ...(isDate(firstStuckAt) && { firstStuckMs: firstStuckAt.getTime() }),
    ...(isDate(foundAt) && { foundMs: foundAt.getTime() }),
    ...(createdMs !== undefined && { createdMs }),
    ...(typeof error === 'string' && { error }),
    values: valuesOf(fields, document),
  };
}

/** The fields of `read` that the document has. */
export function valuesOf({ read }: DocumentCollection['fields'], document: Document) {
  const paths = read === 'all' ? Object.keys(document) : read;
  return Object.fromEntries(
    paths.flatMap((path) => {
      const value = plain(read === 'all' ? document[path] : valueAt(document, path));
      return value === undefined ? [] : [[path, value]];
    }),
  );
}

/** Status, count and time as they are stored: values that a filter may have. `undefined`: the field is missing. */
export interface Stamp {
  readonly status: string;
  readonly count: number | null | undefined;
  readonly time: Date | null | undefined;
}

/** A field that is missing stays missing: the driver would write `null`. */
function stampOf(values: Document): string {
  // A value of no type that the driver knows would fail the whole page.
  if (!isStamp(values)) return '{}';
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return BSON.EJSON.stringify(Object.fromEntries(present), { relaxed: false });
}

/** `undefined`: the stamp of a document that cannot be claimed, so nothing has to be compared. */
export function readStamp(text: string): Stamp | undefined {
  const values: Document = BSON.EJSON.parse(text);
  return isStamp(values) ? values : undefined;
}

function isStamp(values: Document): values is Stamp {
  const { status, count, time } = values;
  const isCount = count === undefined || count === null || Number.isSafeInteger(count);
  const isTime = time === undefined || time === null || isDate(time);
  return typeof status === 'string' && isCount && isTime;
}

/** A date of BSON may be outside the range of JavaScript. */
export function isDate(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime());
}

function timeOf(time: unknown): number | null {
  if (time === undefined || time === null) return null;
  return time instanceof Date ? time.getTime() : Number.NaN;
}

function markOf(mark: unknown): DocumentMark | undefined {
  const { event, sent, at, attempt }: Document = Object(mark);
  if (typeof event !== 'string' || typeof sent !== 'boolean') return undefined;
  const counted = Number.isSafeInteger(attempt) ? { attempt } : {};
  return { event, sent, atMs: isDate(at) ? at.getTime() : 0, ...counted };
}

function createdOf(value: unknown): number | undefined {
  if (value instanceof ObjectId) return value.getTimestamp().getTime();
  return value instanceof Date ? value.getTime() : undefined;
}

function valueAt(document: Document, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    return isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, document);
}

/** A JSON value. `undefined`: there is none for it. */
function plain(value: unknown): unknown {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof ObjectId) return value.toHexString();
  // The driver keeps a number that JavaScript cannot hold.
  if (value instanceof Decimal128 || value instanceof Long) return value.toString();
  if (value instanceof Binary) {
    return value.sub_type === Binary.SUBTYPE_UUID
      ? value.toUUID().toString()
      : value.toString('base64');
  }
  if (Array.isArray(value)) return value.map((each) => plain(each) ?? null);
  if (!isPlainObject(value)) return undefined;
  const entries = Object.entries(value).map(([name, each]) => [name, plain(each)] as const);
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined));
}

function isPlainObject(value: unknown): value is Document {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
