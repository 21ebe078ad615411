export { type PostgresDocumentsOptions, postgresDocuments } from './document/postgres-documents.ts';
export type { TransactionClient } from './driver-types.ts';
export { type EnqueueInOptions, enqueueIn, enqueueManyIn } from './enqueue-in.ts';
export { type MigrationPlan, migrationPlan } from './migration-plan.ts';
export { onceIn } from './once-in.ts';
export { openStore } from './open-store.ts';
export type { PostgresStoreOptions, PostgresTarget } from './options.ts';
export {
  type Queryable,
  type ReadableOptions,
  readToken,
  waitUntilReadable,
} from './read-token.ts';
export { type ServerDurability, serverDurability } from './server-durability.ts';
export { type RunSql, type SqlExecutor, sqlExecutor } from './sql-executor.ts';
