import type { Config } from '@redrive/config';
import type { FullStore } from '@redrive/durable';
import type { Invocation } from '../command/command-spec.ts';
import { configuredStore } from '../config/configured-store.ts';
import { findStore } from './find-store.ts';
import { noteLook } from './note-read.ts';

interface WithStoreOptions {
  /** Whether a store that does not exist yet is created. Default `false`. */
  readonly create?: boolean;
  /** The configuration, where the command has read it already. */
  readonly config?: Config;
}

/**
 * Opens the store that the invocation means, and closes it whatever happens. Who looks at what is noted before
 * anything is read.
 */
export async function withStore<T>(
  invocation: Invocation,
  use: (store: FullStore) => Promise<T>,
  { create = false, config }: WithStoreOptions = {},
): Promise<T> {
  const url = await findStore(invocation, () => configuredStore(invocation, config));
  const store = await invocation.io.openStore(url, create);
  try {
    await noteLook(invocation, store);
    return await use(store);
  } finally {
    await store.close();
  }
}
