import {
  type DocumentCollection,
  type DocumentSet,
  type FindRequest,
  MAX_TIME_AHEAD_MS,
} from '@redrive/durable/documents';
import { Binary, BSON, type Document } from 'mongodb';
import { isDate } from './stored-document.ts';

/** One look into an index: its documents in the order of `sort`. */
export interface Scan {
  readonly range: string;
  readonly filter: Document;
  readonly sort: Readonly<Record<string, 1 | -1>>;
}

/**
 * A part of a set, in the set's order. MongoDB compares values of one type only, so documents without a time, those with
 * one and those with something else are three ranges, each found by the same index.
 */
interface Range {
  readonly range: 'none' | 'times' | 'others';
  readonly filter: Document;
  /** The field that orders it before the id. */
  readonly by?: string;
}

/** In MongoDB's order: a comparison ends at the last value of its type. `$type` with a list keeps to an index. */
const TYPES = 'number string object binData objectId bool date timestamp regex'.split(' ');

export function rangesOf(
  { fields, pending, done, failed }: DocumentCollection,
  set: DocumentSet,
  nowMs: number,
): readonly Range[] {
  const { status, time, mark } = fields;
  const times = (filter: Document, bounds: Document): Range => {
    return { range: 'times', filter: { ...filter, [time]: bounds }, by: time };
  };
  const none = (filter: Document): Range => ({
    range: 'none',
    filter: { ...filter, [time]: null },
  });
  const others = (filter: Document): Range => {
    const types = TYPES.filter((type) => type !== 'date');
    return { range: 'others', filter: { ...filter, [time]: { $type: types } } };
  };
  const isPending = { [status]: { $in: [...pending] } };
  const stuck = (statuses: readonly string[]): Range => {
    const by = `${mark}.firstStuckAt`;
    // Every date; the index has documents with this field only.
    const filter = { [status]: { $in: [...statuses] }, [by]: { $gte: new Date(-8.64e15) } };
    return { range: 'times', filter, by };
  };
  switch (set.set) {
    case 'unsent': {
      const [by, until] = [`${mark}.at`, new Date(nowMs - set.olderThanMs)];
      const isUnsent = { [`${mark}.sent`]: false };
      return [
        { range: 'none', filter: { ...isUnsent, [by]: null } },
        { range: 'times', filter: { ...isUnsent, [by]: { $lte: until } }, by },
      ];
    }
    case 'stuck':
      return [stuck(pending)];
    case 'over':
      return [stuck(done)];
    case 'due': {
      const filter = { ...isPending, [`${mark}.sent`]: { $ne: false } };
      return [none(filter), times(filter, { $lt: new Date(nowMs - set.olderThanMs) })];
    }
    case 'ahead':
      return [times(isPending, { $gt: new Date(nowMs + MAX_TIME_AHEAD_MS) }), others(isPending)];
    case 'failed': {
      const filter = { [status]: failed };
      return [none(filter), times(filter, { $type: 'date' }), others(filter)];
    }
  }
}

/** The scans of a page, one after the other, from where the page before it has ended. */
export function scansOf(
  collection: DocumentCollection,
  request: FindRequest,
  nowMs: number,
): readonly Scan[] {
  const { id } = collection.fields;
  const { newestFirst = false } = request;
  const ascending = rangesOf(collection, request, nowMs);
  const ranges = newestFirst ? ascending.toReversed() : ascending;
  // As `positionAfter` made it. With the driver's own types, so that no number loses digits.
  const after: { range: string; id: unknown; at?: Date } | undefined =
    request.after && BSON.EJSON.parse(request.after, { relaxed: false });
  const from = after === undefined ? 0 : ranges.findIndex(({ range }) => range === after.range);
  const [direction, beyond] = newestFirst ? ([-1, '$lt'] as const) : ([1, '$gt'] as const);
  return ranges.slice(Math.max(from, 0)).flatMap(({ range, filter, by }, index) => {
    const sort = by === undefined ? { [id]: direction } : { [by]: direction, [id]: direction };
    if (after === undefined || index > 0) return [{ range, filter, sort }];
    const laterIds = idsBeyond(after.id, beyond).map((ids) => ({ [id]: ids }));
    if (by === undefined || after.at === undefined) {
      return laterIds.map((ids) => ({ range, filter: { ...filter, ...ids }, sort }));
    }
    // First the rest of the same moment, whose order is that of the ids: the server would sort by both in memory. One
    // filter with `$or` would make it choose a plan each time.
    const same = laterIds.map((ids) => ({
      filter: { ...filter, [by]: after.at, ...ids },
      sort: { [id]: direction },
    }));
    const later = { filter: { $and: [filter, { [by]: { [beyond]: after.at } }] }, sort };
    return [...same, later].map((scan) => ({ range, ...scan }));
  });
}

/** Ids of the same type, then those of the types that come next. */
function idsBeyond(id: unknown, beyond: '$lt' | '$gt'): Document[] {
  const place = TYPES.indexOf(typeOf(id));
  const types = beyond === '$gt' ? TYPES.slice(place + 1) : TYPES.slice(0, Math.max(place, 0));
  return [{ [beyond]: id }, ...(types.length === 0 ? [] : [{ $type: types }])];
}

function typeOf(id: unknown): string {
  const { _bsontype: type }: { _bsontype?: unknown } = Object(id);
  if (type === 'ObjectId') return 'objectId';
  if (type === 'Binary') return 'binData';
  if (type !== undefined) return 'number';
  if (id instanceof Date) return 'date';
  return typeof id === 'boolean' ? 'bool' : typeof id;
}

const MAX_ID_LENGTH = 400;

/** The cursor after this document. */
export function positionAfter(
  collection: DocumentCollection,
  request: FindRequest,
  { range }: Pick<Scan, 'range'>,
  document: Document,
): string {
  const { id, time, mark } = collection.fields;
  const { newestFirst = false } = request;
  const own: Document = Object(document[mark]);
  const isStuck = request.set === 'stuck' || request.set === 'over';
  const moment = isStuck ? own.firstStuckAt : document[time];
  const at = momentOf(request.set === 'unsent' ? own.at : moment, newestFirst);
  const text = (place: unknown) =>
    BSON.EJSON.stringify({ range, id: place, ...(at && { at }) }, { relaxed: false });
  try {
    return text(shortened(document[id], newestFirst));
  } catch {
    // An object that looks like a type the driver does not know: behind all objects, or before all of them.
    return text(newestFirst ? {} : new Binary());
  }
}

/** An index has an array under each of its elements: the first of them in the order decides. */
function momentOf(value: unknown, newestFirst: boolean): Date | undefined {
  const times = [value].flat().filter(isDate);
  return times.sort((one, other) => one.getTime() - other.getTime()).at(newestFirst ? -1 : 0);
}

/** A cursor is short: behind a very long id it goes on after all ids that begin as this one does. */
function shortened(id: unknown, newestFirst: boolean): unknown {
  if (typeof id !== 'string' || id.length <= MAX_ID_LENGTH) return id ?? null;
  const start = id.slice(0, MAX_ID_LENGTH).toWellFormed();
  return newestFirst ? start : `${start}\u{10ffff}`;
}
