export { openStore, type SqliteStoreOptions } from './open-store.ts';
