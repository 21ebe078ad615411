import { type SqlExecutor, sqlExecutor } from '@redrive/postgres';
import knex, { type Knex } from 'knex';
import type { Library, Transaction } from './library.ts';

// recipe
const executorOf = (trx: Knex.Transaction): SqlExecutor =>
  sqlExecutor((text, params) => trx.raw(text.replaceAll(/\$\d+/g, '?'), params));
// end

export function open(url: string): Library {
  const db = knex({ client: 'pg', connection: url });
  const wrap = (trx: Knex.Transaction): Transaction => ({
    sql: executorOf(trx),
    run: (statement) => trx.raw(statement),
    savepoint: (work) => trx.transaction((inner) => work(wrap(inner))),
  });
  return {
    outside: executorOf(db as unknown as Knex.Transaction), // What plain JavaScript may pass.
    transaction: (work) => db.transaction((trx) => work(wrap(trx))),
    close: () => db.destroy(),
  };
}
