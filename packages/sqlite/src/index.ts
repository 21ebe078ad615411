export { readAuditFile } from './audit/read-audit-file.ts';
export { type SqliteDocumentsOptions, sqliteDocuments } from './document/sqlite-documents.ts';
export { enqueueIn } from './enqueue-in.ts';
export { onceIn } from './once-in.ts';
export { openStore, type SqliteStoreOptions, schemaVersions } from './open-store.ts';
