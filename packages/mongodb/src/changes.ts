import type { DocumentCollection } from '@redrive/durable/documents';
import {
  type DocumentWrite,
  type MarkChange,
  newParts,
  newValues,
  type WriteTarget,
} from '@redrive/durable/store';
import type { Document } from 'mongodb';
import { idValue } from './document-id.ts';
import { readStamp, type Stamp } from './stored-document.ts';

/** One change of one document: the server compares and writes it in one step. */
export interface Change {
  readonly filter: Document;
  readonly update: Document[];
}

/** The time in an update: the server's own, or that of a test. */
export type Now = '$$NOW' | Date;

/** `undefined`: the stamp is of no document that can be changed. */
export function changeOf(
  { fields, failed }: DocumentCollection,
  write: DocumentWrite,
  { id, stamp, event = '', error = '' }: WriteTarget,
  now: Now,
): Change | undefined {
  const { status, count, time, mark } = fields;
  const before = stamp === undefined ? NO_STAMP : readStamp(stamp);
  if (before === undefined) return undefined;
  const unchanged = {
    [status]: before.status,
    [count]: same(before.count),
    [time]: same(before.time),
  };
  const conditions = {
    unchanged,
    unclaimed: { ...unchanged, [`${mark}.sent`]: { $ne: false } },
    claimed: { [`${mark}.event`]: event, [`${mark}.sent`]: false },
    failed: { [status]: failed },
  };
  const counted = { $ifNull: [`$${count}`, 0] };
  const values = newValues<unknown>(write, {
    status: literal,
    count: (word) =>
      word === 'raised'
        ? { $cond: [{ $isNumber: counted }, { $add: [counted, 1] }, `$${count}`] }
        : literal(word),
    time: (word) => (word === 'now' ? now : null),
    mark: (change) => (change === 'none' ? REMOVED : newMark(mark, change, counted, event, now)),
    error: (word) => (word === 'given' ? { $literal: error } : REMOVED),
  });
  return {
    filter: { [fields.id]: idValue(id), ...conditions[write.where] },
    update: [{ $set: Object.fromEntries(values.map(([field, value]) => [fields[field], value])) }],
  };
}

/** The mark after a change: an expression, because `$set` would merge a plain object into the mark that is there. */
function newMark(
  mark: string,
  change: MarkChange,
  counted: Document,
  event: string,
  now: Now,
): Document {
  const before = { $cond: [{ $eq: [{ $type: `$${mark}` }, 'object'] }, `$${mark}`, {}] };
  const parts = newParts<unknown>(change, (value, part) => {
    const words = {
      event: { $literal: event },
      now,
      kept_or_now: { $ifNull: [{ $getField: { field: part, input: before } }, now] },
      next: { $add: [counted, 1] },
      current: counted,
    };
    return typeof value === 'string' ? words[value] : literal(value);
  });
  const kept = change.remove.reduce<Document>(
    (input, field) => ({ $unsetField: { field, input } }),
    before,
  );
  const merged = { $mergeObjects: [kept, Object.fromEntries(parts)] };
  return { $cond: [{ $eq: [merged, {}] }, REMOVED, merged] };
}

/** For a write that does not speak of the stamp. */
const NO_STAMP: Stamp = { status: '', count: undefined, time: undefined };

const REMOVED = '$$REMOVE';

/** A value as an expression. */
const literal = (value: unknown) => (value === undefined ? REMOVED : { $literal: value });

/** A filter with null also matches a missing field. */
function same(value: number | Date | null | undefined): unknown {
  if (value === undefined) return { $exists: false };
  return value === null ? { $type: 'null' } : value;
}
