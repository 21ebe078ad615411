import type { FullStore } from '@redrive/durable';
import { type Internals, openStoreWith, type SqliteStoreOptions } from '../open-store.ts';

/** A store whose file is there, with its tables. On a busy machine its threads take more than the default of 5 s to start. */
export async function openMade(
  path: string,
  options: SqliteStoreOptions = {},
  internals: Internals = { audit: true },
): Promise<FullStore> {
  const store = await openStoreWith(path, { timeoutMs: 20_000, ...options }, internals);
  await store.migrate();
  return store;
}
