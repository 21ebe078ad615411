import type { FullStore } from '@redrive/durable';
import { type Internals, openStoreWith } from '../open-store.ts';
import type { PostgresStoreOptions, PostgresTarget } from '../options.ts';

/** A store whose tables are there. */
export async function openMade(
  target: string | PostgresTarget,
  options: PostgresStoreOptions = {},
  internals: Internals = { audit: true },
): Promise<FullStore> {
  const store = await openStoreWith(target, options, internals);
  try {
    await store.migrate();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
