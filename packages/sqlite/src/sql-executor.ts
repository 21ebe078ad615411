import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { RedriveError } from '@redrive/core';

export type SqlValue = string | number | null | Uint8Array;

/** Runs one statement on the connection of your transaction and returns its rows, as objects or lists. */
export type RunSql = (sql: string, params: SqlValue[]) => unknown;

/** A connection of any synchronous SQLite library: made by `sqlExecutor`. */
export interface SqlExecutor {
  readonly runSql: RunSql;
}

/**
 * Makes the connection of `enqueueIn`, `enqueueManyIn` and `onceIn` from a function of your library (better-sqlite3, …)
 * that runs a statement in your transaction. Make it once per transaction.
 *
 * ```ts no-run
 * const sql = sqlExecutor((text, params) => {
 *   const statement = db.prepare(text);
 *   return statement.reader ? statement.all(params) : statement.run(params);
 * });
 * ```
 *
 * The function gets one statement at a time, with plain `?` for its parameters, and throws errors of SQLite. It must be
 * synchronous, because a transaction of SQLite belongs to its connection. No connection of `node:sqlite`, and so no store,
 * may have the file open in the same process: two SQLite libraries do not see each other's locks.
 *
 * @throws RedriveError `invalid_option`: it is not a function.
 */
export function sqlExecutor(run: RunSql): SqlExecutor {
  if (typeof run !== 'function') {
    throw new RedriveError(
      'invalid_option',
      'sqlExecutor takes a function (sql, params) that runs a statement in your transaction and returns its rows',
    );
  }
  return { runSql: run };
}

/** What Redrive uses of a connection inside a transaction of its caller. */
type Used = Pick<DatabaseSync, 'exec' | 'isTransaction'> & {
  prepare(sql: string): UsedStatement;
};

interface UsedStatement {
  get(...params: SQLInputValue[]): readonly unknown[] | undefined;
  all(...params: SQLInputValue[]): (readonly unknown[])[];
  run(...params: SQLInputValue[]): { readonly changes: number; readonly lastInsertRowid: number };
  setReturnArrays(): void;
  setReadBigInts(): void;
}

/** An executor in the shape of a connection of `node:sqlite`. */
export function connectionOf({ runSql }: SqlExecutor): DatabaseSync {
  const rows = (sql: string, params: SqlValue[] = []) => rowsOf(ran(runSql(sql, params)));
  const numbers = (sql: string) => rows(sql)[0]?.map(Number) ?? [];
  const used: Used = {
    /** No query tells: SQLite refuses to begin a transaction inside another one. */
    get isTransaction() {
      try {
        ran(runSql('BEGIN', []));
      } catch (error) {
        if (isInside(error)) return true;
        throw error;
      }
      ran(runSql('ROLLBACK', []));
      return false;
    },
    exec: (sql) => void ran(runSql(sql, [])),
    prepare(sql) {
      const { text, order } = plainParameters(sql);
      // Statements of a store bind no other kind.
      const bound = (params: SQLInputValue[]) =>
        order.map((at) => (params[at] ?? null) as SqlValue);
      return {
        get: (...params) => rows(text, bound(params))[0],
        all: (...params) => rows(text, bound(params)),
        run(...params) {
          ran(runSql(text, bound(params)));
          // Asked for only where the caller reads them, before its next statement.
          return {
            get changes() {
              return numbers('SELECT changes()')[0] ?? 0;
            },
            get lastInsertRowid() {
              return numbers('SELECT last_insert_rowid()')[0] ?? 0;
            },
          };
        },
        setReturnArrays() {},
        setReadBigInts() {},
      };
    },
  };
  // The statements of a store use nothing else.
  return used as unknown as DatabaseSync;
}

function ran(result: unknown): unknown {
  const { then } = Object(result) as { readonly then?: unknown }; // Checked next.
  if (typeof then !== 'function') return result;
  Promise.resolve(result).catch(() => {}); // It is refused here.
  throw new RedriveError(
    'store_unsupported',
    'The function of sqlExecutor must be synchronous: it returned a promise. Asynchronous SQLite drivers cannot take part; use node:sqlite or better-sqlite3 for this transaction, or jobs.enqueue after its commit.',
  );
}

function rowsOf(result: unknown): (readonly unknown[])[] {
  const isTable = Array.isArray(result) && result.every((row) => Object(row) === row);
  if (!isTable) {
    throw new RedriveError(
      'store_unsupported',
      'The function of sqlExecutor must return the rows of a query, as a list of objects or lists: roll the transaction back.',
    );
  }
  return result.map((row) => Object.values(row as object).map(read)); // Checked above.
}

/** The numbers of a store are whole and safe. */
function read(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

/** Texts, comments and parameters of a statement. */
const PARTS = /'[^']*'|--[^\n]*|\?(\d*)/g;

/** `?` in place of `?1`, which libraries take for a named parameter, and the value of each. */
export function plainParameters(sql: string): { readonly text: string; readonly order: number[] } {
  const order: number[] = [];
  let last = 0;
  const text = sql.replaceAll(PARTS, (part, number?: string) => {
    if (number === undefined) return part;
    const own = number === '' ? last + 1 : Number(number);
    last = Math.max(last, own);
    order.push(own - 1);
    return '?';
  });
  return { text, order };
}

/** The error, or one that a library has wrapped. */
function isInside(error: unknown): boolean {
  let at: unknown = error;
  for (let depth = 0; depth < 5 && at !== undefined; depth += 1) {
    const { message, cause } = Object(at) as {
      readonly message?: unknown;
      readonly cause?: unknown;
    };
    if (String(message).includes('within a transaction')) return true;
    at = cause;
  }
  return false;
}
