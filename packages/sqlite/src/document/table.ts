import type { DatabaseSync } from 'node:sqlite';
import { RedriveError } from '@redrive/core';
import type { DocumentCollection } from '@redrive/durable/documents';
import type { MarkPart } from '@redrive/durable/store';
import { query } from '../database/statement.ts';

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The user's table in its file. Names of the table and its columns are quoted, except those of `names`. */
export interface Table {
  readonly db: DatabaseSync;
  readonly collection: DocumentCollection;
  readonly names: readonly string[];
  readonly table: string;
  readonly id: string;
  readonly status: string;
  readonly count: string;
  readonly time: string;
  readonly mark: string;
  /** The value of an id's text: a column without a declared type keeps 7 and '7' apart. */
  idValue(text: string): bigint | string;
  /** A time as the column has it: a column that is declared as an integer has milliseconds, others have ISO texts. */
  stored(ms: number): bigint | string;
  /** The milliseconds of a column; null where it has something that is not a time. */
  msOf(column: string): string;
  /** A part of the mark. Something else than JSON in the column must not fail a statement of the application. */
  markPart(part: MarkPart): string;
}

/** SQLite compares names without regard to case. */
export const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** @throws RedriveError `documents_refused` where there is no such table. */
export function findTable(db: DatabaseSync, collection: DocumentCollection): Table {
  const { name, fields } = collection;
  const rows = query<[string, string]>(db, 'select name, type from pragma_table_info(?)').all(name);
  if (rows.length === 0)
    throw new RedriveError('documents_refused', `Table ${name} does not exist`);
  const typeOf = (column: string) => rows.find(([own]) => isSame(own, column))?.[1] ?? '';
  const isInteger = (column: string) => /int/i.test(typeOf(column));
  const [id, status, count] = [quoted(fields.id), quoted(fields.status), quoted(fields.count)];
  const [time, mark] = [quoted(fields.time), quoted(fields.mark)];
  return {
    ...{ db, collection, names: rows.map(([own]) => own), table: quoted(name) },
    ...{ id, status, count, time, mark },
    idValue(text) {
      if (typeOf(fields.id) !== '' || !/^(?:0|-?[1-9]\d{0,17})$/.test(text)) return text;
      const hasInteger = query<[number]>(db, `select 1 from ${quoted(name)} where ${id} = ?`);
      return hasInteger.get(BigInt(text)) === undefined ? text : BigInt(text);
    },
    stored: (ms) => (isInteger(fields.time) ? BigInt(ms) : new Date(ms).toISOString()),
    msOf(column) {
      const value = quoted(column);
      if (isInteger(column)) return `case typeof(${value}) when 'integer' then ${value} end`;
      // SQLite would read a plain number as a day of the Julian calendar.
      const isDate = `${value} glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9][T ]*'`;
      return `case when ${isDate} then cast(round(unixepoch(${value}, 'subsec') * 1000) as integer) end`;
    },
    markPart: (part) => `case when json_valid(${mark}) then json_extract(${mark}, '$.${part}') end`,
  };
}

/** Creates the missing columns and indexes. */
export function prepareTable(db: DatabaseSync, collection: DocumentCollection, dryRun: boolean) {
  const { count, time, mark, error } = collection.fields;
  const own = findTable(db, collection);
  const wanted = { [count]: 'integer', [time]: 'text', [mark]: 'text', [error]: 'text' };
  const columns = Object.entries(wanted)
    .filter(([column]) => !own.names.some((name) => isSame(name, column)))
    .map(([column, type]) => `column ${quoted(column)} ${type}`);
  const existing = query<[string | null]>(db, 'select sql from sqlite_schema').all().flat();
  const indexes = [
    ['due', `(${own.status}, ${own.time}, ${own.id})`],
    ['unsent', `(${own.markPart('at')}, ${own.id}) where ${own.markPart('sent')} = 0`],
    [
      'stuck',
      `(${own.status}, ${own.markPart('firstStuckAt')}, ${own.id}) where ${own.markPart('firstStuckAt')} is not null`,
    ],
  ]
    .map(([name, rest]) => [
      quoted(`redrive_${name}_${collection.name}`),
      `on ${own.table} ${rest}`,
    ])
    .filter(([name, rest]) => !existing.includes(`CREATE INDEX ${name} ${rest}`));
  for (const column of dryRun ? [] : columns) db.exec(`alter table ${own.table} add ${column}`);
  for (const [name, rest] of dryRun ? [] : indexes) {
    // One of an earlier configuration may have other columns.
    db.exec(`drop index if exists ${name}; create index ${name} ${rest}`);
  }
  return [
    ...columns.map((column) => `${column} on ${own.table}`),
    ...indexes.map(([name, rest]) => `index ${name} ${rest}`),
  ];
}
