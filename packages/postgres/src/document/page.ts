import {
  type DocumentSet,
  type FindRequest,
  MAX_DOCUMENT_PAGE_BYTES,
  MAX_TIME_AHEAD_MS,
  type StoredDocument,
} from '@redrive/durable/documents';
import { quoted, type Table } from './table.ts';

/** A statement in the making: its table, the time, and a way to add a parameter. */
export interface Statement extends Table {
  readonly now: string;
  /** Answers with the parameter's name. */
  add(value: string | number | null): string;
}

export const msOf = (time: string) => `floor(extract(epoch from ${time}) * 1000)`;

/** `at` of a mark is a text that sorts as the time does. */
export const isoText = (time: string) =>
  `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** As the index has it. */
export const firstStuckKey = (mark: string) => `(${mark} ->> 'firstStuckAt') collate "C"`;

/** A document as JSON. A time without a zone is in UTC; infinity, which is a time of Postgres, is none of JavaScript. */
export function documentSql(own: Table): string {
  const { collection, id, status, count, time, mark } = own;
  const { created, error } = collection.fields;
  const read = columnsToRead(own);
  // A null inside a value of type jsonb stays.
  const values = `(select coalesce(jsonb_object_agg(key, value), '{}') from (select ${read.map(quoted).join(', ')}) r,
      jsonb_each(to_jsonb(r)) where value <> 'null')`;
  return `jsonb_build_object('id', ${id}::text, 'status', ${status}::text, 'count', ${count},
    'timeMs', case when isfinite(${time}) then ${msOf(time)} end, 'isTimed', ${time} is not null, 'mark', ${mark},
    'stamp', jsonb_build_array(${status}::text, ${count}::text, ${time}::text)::text,
    'createdMs', ${created === undefined ? 'null' : msOf(quoted(created))}, 'error', ${quoted(error)},
    'values', ${read.length === 0 ? `'{}'::jsonb` : values})::text`;
}

export function storedDocument(json: string | null | undefined): StoredDocument {
  const { timeMs, isTimed, mark, createdMs, error, ...document } = JSON.parse(json ?? '');
  const isMark = typeof mark?.event === 'string' && typeof mark.sent === 'boolean';
  return {
    ...document,
    timeMs: isTimed ? (timeMs ?? Number.NaN) : null,
    ...(isMark && {
      mark: {
        ...{ event: mark.event, sent: mark.sent, atMs: Date.parse(mark.at) || 0 },
        ...(Number.isSafeInteger(mark.attempt) && { attempt: mark.attempt }),
      },
    }),
    ...timeOf('firstStuckMs', mark?.firstStuckAt),
    ...timeOf('foundMs', mark?.foundAt),
    ...(createdMs !== null && { createdMs }),
    ...(error !== null && { error: String(error) }),
  };
}

function timeOf(name: 'firstStuckMs' | 'foundMs', text: unknown) {
  const ms = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? {} : { [name]: ms };
}

/** A part of a set that one scan of an index reads in order; those with a lower `rank` come first. */
interface Range {
  readonly rank: number;
  readonly key: string;
  /** Adds its parameters: Postgres refuses a parameter that a statement does not use. */
  where(): string;
}

/** One range per status, because Postgres reads several statuses in the order of neither time nor id. */
export function rangesOf(statement: Statement, set: DocumentSet): readonly Range[] {
  const { collection, status, time, mark, now, add, cast } = statement;
  const ago = (ms: number) => `(${now} - ${add(ms)}::float8 * interval '1 millisecond')`;
  const range = (name: string, rank: number, condition: () => string): Range => {
    const where = () => `${status} = ${cast(add(name), 'status')} and ${condition()}`;
    return { rank, key: time, where };
  };
  const isSent = `${mark} ->> 'sent' is distinct from 'false'`;
  const { pending, done, failed } = collection;
  const stuckSince = firstStuckKey(mark);
  const stuck = (name: string): Range => {
    return { ...range(name, 1, () => `${mark} ->> 'firstStuckAt' is not null`), key: stuckSince };
  };
  switch (set.set) {
    case 'unsent': {
      const key = `(${mark} ->> 'at') collate "C"`;
      const until = () => isoText(ago(set.olderThanMs));
      const isUnsent = `${mark} ->> 'sent' = 'false'`;
      return [
        { rank: 0, key, where: () => `${isUnsent} and ${key} is null` },
        { rank: 1, key, where: () => `${isUnsent} and ${key} <= ${until()}` },
      ];
    }
    case 'stuck':
      return pending.map(stuck);
    case 'over':
      return done.map(stuck);
    case 'due':
      return pending.flatMap((name) => [
        range(name, 0, () => `${time} is null and ${isSent}`),
        range(name, 1, () => `${time} < ${ago(set.olderThanMs)} and ${isSent}`),
      ]);
    case 'ahead':
      return pending.map((name) => range(name, 1, () => `${time} > ${ago(-MAX_TIME_AHEAD_MS)}`));
    case 'failed':
      return ['is null', 'is not null'].map((is, rank) =>
        range(failed, rank, () => `${time} ${is}`),
      );
  }
}

/**
 * A page from behind the cursor: rank, key and id for the next cursor, the document, and the number of documents that were
 * found, at most one more than the page may have. Large values are read for the documents of the page alone.
 */
export function pageSql(statement: Statement, request: FindRequest): string {
  const { id, table, time, add, cast } = statement;
  const { limit, newestFirst = false, after } = request;
  const [direction, beyond] = newestFirst ? ['desc', '<'] : ['asc', '>'];
  const from: [rank: number, key: string | null, id: string] | undefined =
    after && JSON.parse(after);
  const parts = rangesOf(statement, request)
    .filter(({ rank }) => !from || (newestFirst ? rank <= from[0] : rank >= from[0]))
    .map(({ rank, where, key }) => {
      // Documents without a time are in the order of their ids alone.
      const by = rank === 0 ? [id] : [key, id];
      const keyset = (at: string | null, last: string): string => {
        const typed = (text: string) => (key === time ? cast(text, 'time') : `${text}::text`);
        const places = [...(rank === 0 ? [] : [typed(add(at))]), cast(add(last), 'id')];
        return `and (${by.join(', ')}) ${beyond} (${places.join(', ')})`;
      };
      return `(select ${rank} as redrive_rank, ${key} as redrive_key, d.*
        from ${table} d where ${where()} ${from?.[0] === rank ? keyset(from[1], from[2]) : ''}
        order by ${key} ${direction}, ${id} ${direction} limit ${limit + 1})`;
    });
  const order = ['redrive_rank', 'redrive_key', id]
    .map((column) => `${column} ${direction}`)
    .join(', ');
  const sizes = [...columnsToRead(statement), statement.collection.fields.error].map(
    (name) => `coalesce(${sizeSql(statement, name)}, 0)`,
  );
  return `select redrive_rank, redrive_key, ${id}, ${documentSql(statement)}, redrive_found
    from (select q.*, row_number() over page as redrive_row, count(*) over () as redrive_found,
        sum(${sizes.join(' + ')}) over page as redrive_bytes
      from (${parts.join(' union all ')}) q window page as (order by ${order} rows unbounded preceding)) p
    where redrive_row <= ${limit} and (redrive_row = 1 or redrive_bytes <= ${MAX_DOCUMENT_PAGE_BYTES})
    order by ${order}`;
}

function columnsToRead({ collection, types }: Table): readonly string[] {
  const { read } = collection.fields;
  return read === 'all' ? [...types.keys()] : read;
}

const TEXTS: ReadonlySet<unknown> = new Set(['text', 'character varying', 'character']);

/**
 * Bytes of a column, without reading it: 500 large values would take longer than a statement may. Postgres knows the length
 * of a text. Values of other types may be compressed: usually to more than a quarter.
 */
function sizeSql({ types }: Table, name: string): string {
  const isText = TEXTS.has(types.get(name));
  return isText ? `octet_length(${quoted(name)})` : `4 * pg_column_size(${quoted(name)})`;
}
