export { type EnqueueInOptions, enqueueIn } from './enqueue-in.ts';
export { openStore, type SqliteStoreOptions } from './open-store.ts';
