import type { SqlExecutor } from '@redrive/postgres';

/** An open transaction of a library. */
export interface Transaction {
  /** For `enqueueIn` and `onceIn`. */
  readonly sql: SqlExecutor;
  /** Runs a statement as the library's user would. */
  run(statement: string): Promise<unknown>;
  /** The library's own nested transaction. It is undone if the function throws, and the outer one continues. */
  savepoint(work: (inner: Transaction) => Promise<void>): Promise<void>;
}

export interface Library {
  /** The same lines outside of a transaction, which `enqueueIn` refuses. */
  readonly outside: SqlExecutor;
  /** Commits, unless the function throws. */
  transaction(work: (tx: Transaction) => Promise<void>): Promise<void>;
  close(): Promise<unknown>;
}

/** For libraries without nested transactions. */
export async function savepointBy(tx: Transaction, work: (inner: Transaction) => Promise<void>) {
  await tx.run('savepoint nested');
  try {
    await work(tx);
    await tx.run('release savepoint nested');
  } catch (error) {
    await tx.run('rollback to savepoint nested');
    await tx.run('release savepoint nested');
    throw error;
  }
}
