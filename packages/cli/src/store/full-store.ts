import type { FullStore, Store } from '@redrive/durable/store';
import { CliError } from '../terminal/cli-error.ts';

/** The store with everything that operators ask for. */
export function fullStore(store: Store): FullStore {
  if ('readAudit' in store) return store as FullStore; // All of it comes together.
  throw new CliError('failed', `${store.name} has no dead letters and no sealed audit log yet.`);
}
