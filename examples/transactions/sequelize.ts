import { type SqlExecutor, sqlExecutor } from '@redrive/postgres';
import { QueryTypes, Sequelize, type Transaction as SequelizeTransaction } from 'sequelize';
import type { Library, Transaction } from './library.ts';

// recipe
const executorOf = (db: Sequelize, transaction: SequelizeTransaction): SqlExecutor =>
  sqlExecutor((text, bind) => db.query(text, { bind, transaction, type: QueryTypes.SELECT }));
// end

export function open(url: string): Library {
  const db = new Sequelize(url, { dialect: 'postgres', logging: false });
  const wrap = (transaction: SequelizeTransaction): Transaction => ({
    sql: executorOf(db, transaction),
    run: (statement) => db.query(statement, { transaction }),
    savepoint: (work) => db.transaction({ transaction }, (inner) => work(wrap(inner))),
  });
  return {
    // What plain JavaScript may pass.
    outside: executorOf(db, undefined as unknown as SequelizeTransaction),
    transaction: (work) => db.transaction((transaction) => work(wrap(transaction))),
    close: () => db.close(),
  };
}
