import type { Statement } from '../connect/connection.ts';
import type { FastPaths } from '../fast-paths.ts';
import { type DeadBase, type Parameters, where } from './dead-base.ts';

/** The parts of a search for one page of letters. Its rows have the time of death, and then the columns. */
export interface Search {
  readonly schema: string;
  readonly base: DeadBase;
  /** The condition that selects letters after the previous page. */
  readonly place: readonly string[];
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
  readonly columns: string;
  readonly parameters: Parameters;
}

/** Searches the first rows of the index. Stops as soon as there are enough letters. */
export function searchFirst(search: Search, { deadFirst }: FastPaths): Statement {
  const { schema, base, limit, columns, parameters } = search;
  const looked = base.others.length === 0 ? limit : deadFirst + limit;
  return {
    text: `select j.finished_at, ${columns}
      from (select * from ${schema}.finished j ${indexed(search)} ${order(search)} limit ${looked}) j
      ${where(base.others)} ${order(search)} limit ${limit}`,
    values: parameters.values,
  };
}

/** Reads the first letters of each fingerprint from its range in an index, and takes the first of all. */
export function searchEach(search: Search, fingerprints: string): Statement {
  const { schema, base, place, limit, columns, parameters } = search;
  const own = where(['j.fingerprint = g.fingerprint', "j.state = 'dead'", ...base.times, ...place]);
  return {
    text: `with first as materialized (
        select j.fingerprint, j.finished_at, j.id from unnest(${fingerprints}::text[]) as g(fingerprint) cross join lateral (
          select j.fingerprint, j.finished_at, j.id from ${schema}.finished j ${own} ${order(search)} limit ${limit}) j
        ${order(search)} limit ${limit})
      select j.finished_at, ${columns} from first f join ${schema}.finished j
        on j.fingerprint = f.fingerprint and j.state = 'dead' and j.finished_at = f.finished_at and j.id = f.id
      ${order(search)}`,
    values: parameters.values,
  };
}

/**
 * Searches very many rows, and keeps only their positions. Each row of the answer begins with the position where the
 * search stopped (null: at the end). If nothing was found, there is still one row.
 */
export function searchMany(search: Search, scanned: number): Statement {
  const { schema, base, limit, columns, parameters } = search;
  return {
    text: `with looked as materialized (
        select l.*, row_number() over () as n from (
          select j.seq, j.finished_at, j.id, ${base.others.map((one) => `(${one})`).join(' and ')} as fits
          from ${schema}.finished j ${indexed(search)} ${order(search)} limit ${scanned}) l),
      fitting as (select l.seq, l.n from looked l where l.fits order by l.n limit ${limit})
      select e.finished_at, e.id, a.* from (select) one
        left join (select l.finished_at, l.id from looked l where l.n = ${scanned}) e on true
        left join (
          select j.finished_at as died_at, ${named(columns)}, f.n from fitting f join ${schema}.finished j using (seq)) a on true
      order by a.n`,
    values: parameters.values,
  };
}

/** Gives each column a name, because the columns of a subquery need different names. */
function named(columns: string): string {
  return columns
    .split(', ')
    .map((column, at) => `${column} as c${at}`)
    .join(', ');
}

function indexed({ base, place }: Search): string {
  return where([base.index, ...base.times, ...place]);
}

function order({ direction }: Search): string {
  return `order by j.finished_at ${direction}, j.id ${direction}`;
}
