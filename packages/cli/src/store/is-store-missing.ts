import { isRedriveError } from '@redrive/core';
import type { Io } from '../terminal/io.ts';

/**
 * Whether there is no store at this URL. Makes none. A store that cannot answer counts as there: this must not stop a
 * command that creates stores.
 */
export async function isStoreMissing({ openStore }: Pick<Io, 'openStore'>, url: string) {
  try {
    const store = await openStore(url, false);
    try {
      await store.controlRevision();
    } finally {
      await store.close();
    }
    return false;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return isRedriveError(error, 'store_not_found') || isRedriveError(cause, 'store_not_found');
  }
}
