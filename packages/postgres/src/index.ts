export { enqueueIn } from './enqueue-in.ts';
export { openStore } from './open-store.ts';
export type { PostgresStoreOptions, PostgresTarget } from './options.ts';
