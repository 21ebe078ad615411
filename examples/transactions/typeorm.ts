import { type SqlExecutor, sqlExecutor } from '@redrive/postgres';
import { DataSource, type EntityManager } from 'typeorm';
import type { Library, Transaction } from './library.ts';

// recipe
const executorOf = (manager: EntityManager): SqlExecutor =>
  sqlExecutor((text, params) => manager.query(text, params));
// end

export async function open(url: string): Promise<Library> {
  const db = await new DataSource({ type: 'postgres', url }).initialize();
  const wrap = (manager: EntityManager): Transaction => ({
    sql: executorOf(manager),
    run: (statement) => manager.query(statement),
    savepoint: (work) => manager.transaction((inner) => work(wrap(inner))),
  });
  return {
    outside: executorOf(db.manager),
    transaction: (work) => db.transaction((manager) => work(wrap(manager))),
    close: () => db.destroy(),
  };
}
