import { type SqlExecutor, sqlExecutor } from '@redrive/postgres';
import { CompiledQuery, Kysely, PostgresDialect, type Transaction as Trx } from 'kysely';
import pg from 'pg';
import { type Library, savepointBy, type Transaction } from './library.ts';

// recipe
const executorOf = (trx: Trx<unknown>): SqlExecutor =>
  sqlExecutor((text, params) => trx.executeQuery(CompiledQuery.raw(text, params)));
// end

export function open(url: string): Library {
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
  });
  return {
    outside: executorOf(db as Trx<unknown>), // What plain JavaScript may pass.
    transaction: (work) =>
      db.transaction().execute((trx) => {
        const tx: Transaction = {
          sql: executorOf(trx),
          run: (statement) => trx.executeQuery(CompiledQuery.raw(statement)),
          savepoint: (inner) => savepointBy(tx, inner),
        };
        return work(tx);
      }),
    close: () => db.destroy(),
  };
}
