import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** A prepared query whose rows are arrays: half the cost of objects, and can be sent between threads unchanged. */
export interface Query<Row extends readonly unknown[]> {
  get(...parameters: SQLInputValue[]): Row | undefined;
  all(...parameters: SQLInputValue[]): Row[];
}

/** A prepared statement without rows. */
export type Statement = Pick<StatementSync, 'run'>;

/**
 * A limit as a parameter, for statements that run often. SQLite compiles a statement with a plain `LIMIT ?` again at
 * every call, because the number may change its plan: that takes ten times as long as a lookup in an index.
 */
export const LIMIT = 'LIMIT (SELECT ?)';

/** Prepares a query. The author of the query must make sure that its columns match `Row`: SQL is not type-checked. */
export function query<Row extends readonly unknown[]>(db: DatabaseSync, sql: string): Query<Row> {
  const prepared = db.prepare(sql);
  prepared.setReturnArrays(true);
  // The caller's own connection may have switched bigints on.
  prepared.setReadBigInts(false);
  // The declarations know only rows that are objects. The statement itself, because a wrapper would copy every argument.
  return prepared as unknown as Query<Row>;
}

export function statement(db: DatabaseSync, sql: string): Statement {
  return db.prepare(sql);
}

/** The one value of a pragma. */
export function pragma(db: DatabaseSync, name: string): unknown {
  return query<[unknown]>(db, `PRAGMA ${name}`).get()?.[0];
}

/** SQLite's extended result code. */
export function errcodeOf(error: unknown): number | undefined {
  // Not `instanceof Error`: under Jest the errors of Node are of another realm.
  const { errcode } = Object(error) as { readonly errcode?: unknown };
  return typeof errcode === 'number' ? errcode : undefined;
}

/** Another connection holds the lock, or is recovering the log. */
export function isBusy(error: unknown): boolean {
  const busy = 5;
  if (((errcodeOf(error) ?? 0) & 0xff) === busy) return true;
  const { code } = Object(error) as { readonly code?: unknown };
  // Other libraries have the name in place of the number.
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY');
}
