import type { FullStore } from '@redrive/durable';
import { type Internals, openStoreWith, type SqliteStoreOptions } from '../open-store.ts';

/** A store whose file is there, with its tables. */
export async function openMade(
  path: string,
  options: SqliteStoreOptions = {},
  internals: Internals = { audit: true },
): Promise<FullStore> {
  const store = await openStoreWith(path, options, internals);
  await store.migrate();
  return store;
}
