import { type SqlExecutor, sqlExecutor } from '@redrive/postgres';
import postgres, { type TransactionSql } from 'postgres';
import type { Library, Transaction } from './library.ts';

// recipe
const executorOf = (tx: TransactionSql): SqlExecutor =>
  sqlExecutor((text, params) => tx.unsafe(text, params));
// end

export function open(url: string): Library {
  const db = postgres(url, { onnotice: () => {} });
  const wrap = (tx: TransactionSql): Transaction => ({
    sql: executorOf(tx),
    run: (statement) => tx.unsafe(statement),
    savepoint: async (work) => {
      await tx.savepoint((inner) => work(wrap(inner)));
    },
  });
  return {
    outside: executorOf(db as unknown as TransactionSql), // What plain JavaScript may pass.
    async transaction(work) {
      await db.begin((tx) => work(wrap(tx)));
    },
    close: () => db.end(),
  };
}
