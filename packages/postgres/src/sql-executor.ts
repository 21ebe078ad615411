import { RedriveError } from '@redrive/core';
import type { TransactionClient } from './driver-types.ts';

/** Runs one statement on the connection of your transaction. Resolves to its rows, or to an object with `rows`. */
export type RunSql = (sql: string, params: (string | null)[]) => PromiseLike<unknown>;

/** A transaction of any library: made by `sqlExecutor`. */
export interface SqlExecutor extends TransactionClient {}

/**
 * Makes the connection of `enqueueIn`, `enqueueManyIn` and `onceIn` from a function of your library (Drizzle, Kysely,
 * Prisma, Knex, TypeORM, …) that runs a statement in your transaction. Make it once per transaction: calls on the same
 * executor take turns.
 *
 * ```ts no-run
 * await prisma.$transaction(async (tx) => {
 *   const sql = sqlExecutor((text, params) => tx.$queryRawUnsafe(text, ...params));
 *   await enqueueIn(sql, jobs.prepare('mail', { order: 17 }));
 * });
 * store.committed();
 * ```
 *
 * The function gets one statement at a time. Parameters are `$1`, `$2`, …, each used once and in this order, and all of
 * them are texts or null. A row is an object or a list. Errors of the database must be thrown.
 *
 * @throws RedriveError `invalid_option`: it is not a function.
 */
export function sqlExecutor(run: RunSql): SqlExecutor {
  if (typeof run !== 'function') {
    throw new RedriveError(
      'invalid_option',
      'sqlExecutor takes a function (sql, params) that runs a statement in your transaction and resolves to its rows',
    );
  }
  return {
    async query(statement) {
      const { text, values } =
        typeof statement === 'string' ? { text: statement, values: [] } : statement;
      const result: unknown = await run(text, values);
      return Array.isArray(result) ? { rows: result } : result;
    },
  };
}
