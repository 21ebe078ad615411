import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** A prepared query whose rows are arrays: half the cost of objects, and they cross threads as they are. */
export interface Query<Row extends readonly unknown[]> {
  get(...parameters: SQLInputValue[]): Row | undefined;
  all(...parameters: SQLInputValue[]): Row[];
}

/** A prepared statement without rows. */
export interface Statement {
  /** Answers how many rows it changed. */
  run(...parameters: SQLInputValue[]): number;
}

/** Prepares a query. That its columns are those of `Row` is up to whoever writes it: SQL is not type-checked. */
export function query<Row extends readonly unknown[]>(db: DatabaseSync, sql: string): Query<Row> {
  const prepared = db.prepare(sql);
  prepared.setReturnArrays(true);
  // The caller's own connection may have asked for them.
  prepared.setReadBigInts(false);
  return {
    // The declarations know only rows that are objects.
    get: (...parameters) => prepared.get(...parameters) as unknown as Row | undefined,
    all: (...parameters) => prepared.all(...parameters) as unknown as Row[],
  };
}

export function statement(db: DatabaseSync, sql: string): Statement {
  const prepared = db.prepare(sql);
  return { run: (...parameters) => Number(prepared.run(...parameters).changes) };
}

/** The one value of a pragma. */
export function pragma(db: DatabaseSync, name: string): unknown {
  return query<[unknown]>(db, `PRAGMA ${name}`).get()?.[0];
}
