import { type SqlExecutor, sqlExecutor } from '@redrive/postgres';
import { type SQL, sql } from 'drizzle-orm';
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres';
import { drizzle as drizzlePostgresJs } from 'drizzle-orm/postgres-js';
import pg from 'pg';
import postgres from 'postgres';
import type { Library, Transaction } from './library.ts';

// recipe
const executorOf = (tx: { execute(query: SQL): Promise<unknown> }): SqlExecutor =>
  sqlExecutor((text, params) => {
    const strings = text.split(/\$\d+/);
    return tx.execute(sql(Object.assign(strings, { raw: strings }), ...params));
  });
// end

/** The transactions of both drivers. */
interface Tx {
  execute(query: SQL): Promise<unknown>;
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

const wrap = (tx: Tx): Transaction => ({
  sql: executorOf(tx),
  run: (statement) => tx.execute(sql.raw(statement)),
  savepoint: (work) => tx.transaction((inner) => work(wrap(inner))),
});

export function openOnPg(url: string): Library {
  const pool = new pg.Pool({ connectionString: url });
  const db = drizzlePg(pool);
  return {
    outside: executorOf(db),
    transaction: (work) => db.transaction((tx) => work(wrap(tx))),
    close: () => pool.end(),
  };
}

export function openOnPostgresJs(url: string): Library {
  const client = postgres(url, { onnotice: () => {} });
  const db = drizzlePostgresJs(client);
  return {
    outside: executorOf(db),
    transaction: (work) => db.transaction((tx) => work(wrap(tx))),
    close: () => client.end(),
  };
}
