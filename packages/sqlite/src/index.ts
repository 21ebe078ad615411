export { readAuditFile } from './audit/read-audit-file.ts';
export { type SqliteDocumentsOptions, sqliteDocuments } from './document/sqlite-documents.ts';
export { type EnqueueInOptions, enqueueIn, enqueueManyIn } from './enqueue-in.ts';
export { onceIn } from './once-in.ts';
export { openStore, type SqliteStoreOptions, schemaVersions } from './open-store.ts';
export { type RunSql, type SqlExecutor, type SqlValue, sqlExecutor } from './sql-executor.ts';
