import { RedriveError } from '@redrive/core';
import type { DocumentCollection } from '@redrive/durable/documents';
import type { Session } from '../connect/connection.ts';

/** The user's table as the server describes it. Names are quoted. */
export interface Table {
  readonly collection: DocumentCollection;
  /** Schema and name. */
  readonly table: string;
  /** Types by column, without lengths: a cast to one with a length would cut a text. */
  readonly types: ReadonlyMap<string, string>;
  readonly id: string;
  readonly status: string;
  readonly count: string;
  readonly time: string;
  readonly mark: string;
  /** A text as a value of the column's type. */
  cast(text: string, field: 'id' | 'status' | 'count' | 'time'): string;
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
export const quotedTable = (name: string) => name.split('.').map(quoted).join('.');

/** Reads the table from the catalogue. @throws RedriveError `documents_refused` where there is none. */
export async function findTable(session: Session, collection: DocumentCollection): Promise<Table> {
  const { name, fields } = collection;
  const rows = await session.query({
    text: `select quote_ident(n.nspname) || '.' || quote_ident(c.relname), attname, format_type(atttypid, -1)
      from pg_class c join pg_namespace n on n.oid = relnamespace join pg_attribute on attrelid = c.oid
      where c.oid = to_regclass($1) and attnum > 0 and not attisdropped order by attnum`,
    values: [quotedTable(name)],
  });
  const table = rows[0]?.[0];
  if (!table) throw new RedriveError('documents_refused', `Table ${name} does not exist`, { name });
  const types = new Map(rows.map(([, column, type]) => [column ?? '', type ?? '']));
  const [id, status, count] = [quoted(fields.id), quoted(fields.status), quoted(fields.count)];
  const cast: Table['cast'] = (text, field) => `${text}::text::${types.get(fields[field])}`;
  const [time, mark] = [quoted(fields.time), quoted(fields.mark)];
  return { collection, table, types, id, status, count, time, mark, cast };
}

/**
 * Creates the missing columns and indexes. A column has no default, because adding it must not rewrite the table; an
 * index is built without blocking writers.
 */
export async function prepareTable(
  session: Session,
  collection: DocumentCollection,
  dryRun: boolean,
): Promise<readonly string[]> {
  const { fields } = collection;
  const { table, types, id, status, time, mark } = await findTable(session, collection);
  const lines: string[] = [];
  const create = async (line: string, ...statements: string[]): Promise<void> => {
    lines.push(line);
    for (const text of dryRun ? [] : statements) await session.query({ text });
  };
  const { count, time: at, mark: claim, error } = fields;
  const added = { [count]: 'integer', [at]: 'timestamptz', [claim]: 'jsonb', [error]: 'text' };
  for (const [name, type] of Object.entries(added).filter(([column]) => !types.has(column))) {
    const column = `${quoted(name)} ${type}`;
    await create(`column ${column} on ${table}`, `alter table ${table} add column ${column}`);
  }
  const indexes = {
    redrive_due: `(${status}, ${time}, ${id})`,
    redrive_unsent: `((${mark} ->> 'at') collate "C", ${id}) where ${mark} ->> 'sent' = 'false'`,
    redrive_stuck: `(${status}, (${mark} ->> 'firstStuckAt') collate "C", ${id}) where ${mark} ->> 'firstStuckAt' is not null`,
  };
  for (const [prefix, definition] of Object.entries(indexes)) {
    // Names of indexes are unique in a schema; and an index on columns that have other names by now does not do.
    const [[name, place, isValid] = []] = await session.query({
      text: `select name, place, (select indisvalid from pg_index where indexrelid = to_regclass(place))
        from (select name, quote_ident(nspname) || '.' || name as place
          from (select $1 || left(md5($2), 8) as name) i, pg_class c join pg_namespace n on n.oid = relnamespace
          where c.oid = to_regclass($3)) p`,
      values: [`${prefix}_`, `${table} ${definition}`, table],
    });
    // Building that was interrupted leaves an index behind that no query uses.
    const drop = isValid === 'f' ? [`drop index concurrently ${place}`] : [];
    const index = `index ${name} on ${table} ${definition}`;
    const build = index.replace('index', 'create index concurrently');
    if (isValid !== 't') await create(index, ...drop, build);
  }
  return lines;
}
