export { readAuditFile } from './audit/read-audit-file.ts';
export { type EnqueueInOptions, enqueueIn } from './enqueue-in.ts';
export { type OnceInOptions, onceIn } from './once-in.ts';
export { openStore, type SqliteStoreOptions } from './open-store.ts';
export { schemaVersions } from './schema-versions.ts';
