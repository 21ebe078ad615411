import type { DocumentCollection } from '@redrive/durable/documents';
import { type DocumentWrite, newValues, type WriteTarget } from '@redrive/durable/store';
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
  { fields, pending, failed }: DocumentCollection,
  write: DocumentWrite,
  { id, stamp, event = '', error = '' }: WriteTarget,
  now: Now,
): Change | undefined {
  const { status, count, time, mark } = fields;
  const before = stamp === undefined ? NO_STAMP : readStamp(stamp);
  if (before === undefined) return undefined;
  const isClaimed = { [`${mark}.event`]: event, [`${mark}.sent`]: false };
  const conditions = {
    unchanged: { [status]: before.status, [count]: same(before.count), [time]: same(before.time) },
    claimed: isClaimed,
    claimed_from_stamp: {
      ...isClaimed,
      [status]: before.status,
      [count]: (before.count ?? 0) + 1,
    },
    failed: { [status]: failed },
  };
  const isPending = { $in: [`$${status}`, { $literal: [...pending] }] };
  const times = {
    now,
    now_if_pending: { $cond: [isPending, now, `$${time}`] },
    stamp: literal(before.time),
    none: null,
  };
  // Expressions, because `$set` would merge a plain object into the mark that is there.
  const newMark = (sent: boolean) => {
    return { $mergeObjects: [{ event: { $literal: event }, sent: { $literal: sent }, at: now }] };
  };
  const marks = {
    unsent: newMark(false),
    sent: newMark(true),
    now_sent: { $mergeObjects: [`$${mark}`, { sent: { $literal: true } }] },
    none: REMOVED,
  };
  const values = newValues<unknown>(write, {
    status: literal,
    count: (word) =>
      word === 'raised'
        ? { $add: [{ $ifNull: [`$${count}`, 0] }, 1] }
        : literal(word === 'stamp' ? before.count : word),
    time: (word) => times[word],
    mark: (word) => marks[word],
    error: (word) => (word === 'given' ? { $literal: error } : REMOVED),
  });
  return {
    filter: { [fields.id]: idValue(id), ...conditions[write.where] },
    update: [{ $set: Object.fromEntries(values.map(([field, value]) => [fields[field], value])) }],
  };
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
