import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  type DocumentPage,
  type DocumentSet,
  type FindRequest,
  MAX_TIME_AHEAD_MS,
  type StoredDocument,
} from '@redrive/durable/documents';
import { pageBytes } from '@redrive/durable/store';
import { quoted, type Table } from './table.ts';

/** The user's table, and the time of a call. */
export interface Work extends Table {
  readonly nowMs: number;
}

/** A document's columns, by names of ours; the fields to read have their numbers. */
export function documentSql(work: Work): string {
  const { collection, id, status, count, time, msOf, markPart } = work;
  const { created, error, time: timeField } = collection.fields;
  return [
    `cast(${id} as text) as id, typeof(${id}) as kind, ${status} as status, ${count} as count`,
    `${time} as time, ${msOf(timeField)} as timeMs`,
    ...MARK_PARTS.map((part) => `${markPart(part)} as ${part}`),
    `${created === undefined ? 'null' : msOf(created)} as createdMs, ${quoted(error)} as error`,
    ...columnsToRead(work).map((name, index) => `${quoted(name)} as v${index}`),
  ].join(', ');
}

const MARK_PARTS = ['event', 'sent', 'at', 'attempt', 'firstStuckAt', 'foundAt'] as const;

type Columns = Readonly<Record<string, unknown>>;

export function storedDocument(row: Columns, own: Table): StoredDocument {
  const { id, kind, status, count, time, timeMs, createdMs, error } = row;
  const { event, sent, at, attempt } = row;
  // A sweep leaves a document without a valid time alone: this one would not be found by its id, or its status is not a
  // text.
  const isReadable = ['text', 'integer'].includes(String(kind)) && typeof status === 'string';
  const ms = time === null ? null : timeMs === null ? Number.NaN : Number(timeMs);
  const values = columnsToRead(own).map((name, index) => [name, plain(row[`v${index}`])] as const);
  return {
    id: String(id),
    status: typeof status === 'string' ? status : '',
    count: plain(count),
    timeMs: isReadable ? ms : Number.NaN,
    stamp: packed([status, count, time]),
    ...(typeof event === 'string' && {
      mark: {
        ...{ event, sent: Number(sent) === 1, atMs: Date.parse(String(at)) || 0 },
        ...(typeof attempt === 'bigint' && { attempt: Number(attempt) }),
      },
    }),
    ...markTime('firstStuckMs', row.firstStuckAt),
    ...markTime('foundMs', row.foundAt),
    ...(createdMs !== null && { createdMs: Number(createdMs) }),
    ...(typeof error === 'string' && { error }),
    values: Object.fromEntries(values.filter(([, value]) => value !== null)),
  };
}

function columnsToRead({ collection, names }: Table): readonly string[] {
  const { read } = collection.fields;
  return read === 'all' ? names : read;
}

function markTime(name: 'firstStuckMs' | 'foundMs', text: unknown) {
  const ms = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? {} : { [name]: ms };
}

/** A JSON value. An integer that JavaScript cannot hold becomes a text. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : `${value}`;
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

/** The values of a stamp or a cursor as JSON. Integers and blobs keep their type: SQLite sorts each type apart. */
function packed(values: readonly unknown[]): string {
  return JSON.stringify(
    values.map((value) => {
      if (typeof value === 'bigint') return { int: `${value}` };
      return value instanceof Uint8Array ? { blob: Buffer.from(value).toString('base64') } : value;
    }),
  );
}

type Packed = string | number | null | { readonly int: string } | { readonly blob: string };

/** The values, as SQLite takes them. */
export function unpacked(stamp: string): SQLInputValue[] {
  const values: Packed[] = JSON.parse(stamp);
  return values.map((value) => {
    if (typeof value !== 'object' || value === null) return value;
    return 'int' in value ? BigInt(value.int) : Buffer.from(value.blob, 'base64');
  });
}

/** A part of a set that one scan of an index reads in order; those with a lower `rank` come first. */
interface Range {
  readonly rank: number;
  readonly where: string;
  readonly values: readonly SQLInputValue[];
  readonly key: string;
}

/** One range per status, because SQLite reads several statuses in the order of neither time nor id. */
export function rangesOf(work: Work, set: DocumentSet): readonly Range[] {
  const { collection, status, time, nowMs, markPart } = work;
  const { pending, done, failed, fields } = collection;
  const ms = work.msOf(fields.time);
  const notUnsent = `${markPart('sent')} is not 0`;
  const range = (name: string, rank: number, where: string, ...values: SQLInputValue[]): Range => {
    return { rank, where: `${status} = ? and ${where}`, values: [name, ...values], key: time };
  };
  const stuckSince = markPart('firstStuckAt');
  const stuck = (name: string): Range => {
    return { ...range(name, 1, `${stuckSince} is not null`), key: stuckSince };
  };
  switch (set.set) {
    case 'unsent': {
      const key = markPart('at');
      const until = new Date(nowMs - set.olderThanMs).toISOString();
      const isUnsent = `${markPart('sent')} = 0`;
      return [
        { rank: 0, where: `${isUnsent} and ${key} is null`, values: [], key },
        { rank: 1, where: `${isUnsent} and ${key} <= ?`, values: [until], key },
      ];
    }
    case 'stuck':
      return pending.map(stuck);
    case 'over':
      return done.map(stuck);
    case 'due': {
      const untilMs = nowMs - set.olderThanMs;
      // The text finds all of them by the index, and some of the same day in another notation: the number decides. Values
      // that are not times sort among the texts, so this set has them too: another one would have to read all rows.
      const isOld = `${time} < ? and coalesce(${ms} < ?, true) and ${notUnsent}`;
      return pending.flatMap((name) => [
        range(name, 0, `${time} is null and ${notUnsent}`),
        range(name, 1, isOld, work.stored(untilMs), BigInt(untilMs)),
      ]);
    }
    case 'ahead': {
      const fromMs = nowMs + MAX_TIME_AHEAD_MS;
      const from = work.stored(fromMs);
      const isAhead = `coalesce(${ms} > ?, true)`;
      const later = (name: string) =>
        range(name, 1, `${time} > ? and ${isAhead}`, from, BigInt(fromMs));
      if (typeof from !== 'string') return pending.map(later);
      // A text with a space instead of the T comes before all others of its day.
      const spaced = `${time} > ? and ${time} < ? and ${isAhead}`;
      const [day = '', clock = ''] = from.slice(0, -1).split('T');
      return pending.flatMap((name) => [
        range(name, 1, spaced, `${day} ${clock}`, `${day}T`, BigInt(fromMs)),
        later(name),
      ]);
    }
    case 'failed':
      return [range(failed, 0, `${time} is null`), range(failed, 1, `${time} is not null`)];
  }
}

/**
 * Adds a function that returns its argument, except for a text that is not valid UTF-8: JavaScript cannot hold that one.
 * No statement finds a document with such an id, and no cursor goes on exactly behind it. Sweeps leave it alone.
 */
export function addReadable(db: DatabaseSync): void {
  const options = { deterministic: true, directOnly: true, useBigIntArguments: true };
  db.function('redrive_readable', options, (value) => value);
}

/**
 * A page from behind the cursor, which has rank, key and id of the last document. First the keys alone, because SQLite
 * would sort the documents with them; then the documents, one by one, while the page has room.
 */
export function findPage(work: Work, request: FindRequest): DocumentPage {
  const { db, nowMs, table, id: own } = work;
  const { limit, after, newestFirst = false } = request;
  const [direction, beyond] = newestFirst ? ['desc', '<'] : ['asc', '>'];
  const [begun, ...from] = after === undefined ? [] : unpacked(after);
  const values: SQLInputValue[] = [];
  const parts = rangesOf(work, request)
    .filter(
      ({ rank }) =>
        begun === undefined || (newestFirst ? rank <= Number(begun) : rank >= Number(begun)),
    )
    .map((range) => {
      // Documents without a time are in the order of their ids alone.
      const by = range.rank === 0 ? [own] : [range.key, own];
      const isBegun = begun !== undefined && range.rank === Number(begun);
      values.push(...range.values, ...(isBegun ? from.slice(-by.length) : []));
      const keyset = `and (${by.join(', ')}) ${beyond} (${by.map(() => '?').join(', ')})`;
      return `select * from (select ${range.rank} as r, ${range.key} as k, ${own} as i
        from ${table} where ${range.where} and redrive_readable(${own}) is ${own} ${isBegun ? keyset : ''}
        order by ${by.map((column) => `${column} ${direction}`).join(', ')} limit ${limit + 1})`;
    });
  const order = ['r', 'k', 'i'].map((column) => `${column} ${direction}`).join(', ');
  const keys = db.prepare(`${parts.join(' union all ')} order by ${order} limit ${limit + 1}`);
  const document = db.prepare(`select ${documentSql(work)} from ${table} where ${own} is ?`);
  keys.setReadBigInts(true);
  document.setReadBigInts(true);
  const fits = pageBytes();
  // One snapshot for both: a document that is done by then would look like one that is to be sent.
  return inTransaction(db, 'DEFERRED', () => {
    const found = keys.all(...values);
    const documents: StoredDocument[] = [];
    for (const { i = null } of found.slice(0, limit)) {
      const row = document.get(i);
      if (row === undefined || !fits(sizeOf(row))) break;
      documents.push(storedDocument(row, work));
    }
    const { r, k, i } = found[documents.length - 1] ?? {};
    const place = [Number(r), shortened(k, newestFirst), shortened(i, newestFirst)];
    return {
      nowMs,
      documents,
      ...(found.length > documents.length && { next: packed(place) }),
    };
  });
}

function sizeOf(row: Columns): number {
  const sizes = Object.values(row).map((value) =>
    typeof value === 'string' || value instanceof Uint8Array ? value.length : 8,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const MAX_KEY_LENGTH = 400;

/** A cursor is short: behind a very long key it goes on after all keys that begin as this one does. */
function shortened(key: unknown, newestFirst: boolean): unknown {
  const isLong =
    (typeof key === 'string' || key instanceof Uint8Array) && key.length > MAX_KEY_LENGTH;
  if (!isLong) return key ?? null;
  const start = key.slice(0, MAX_KEY_LENGTH);
  if (typeof start === 'string') return start + (newestFirst ? '' : '\u{10ffff}');
  return newestFirst ? start : Buffer.concat([start, Buffer.alloc(64, 0xff)]);
}

/** `IMMEDIATE` takes the lock of the file at the start. */
export function inTransaction<T>(
  db: DatabaseSync,
  mode: 'DEFERRED' | 'IMMEDIATE',
  work: () => T,
): T {
  db.exec(`BEGIN ${mode}`);
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
