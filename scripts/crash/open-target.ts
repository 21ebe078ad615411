import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable/store';

/** Where a store is: `sqlite:<path>`, or a Postgres URL. */
export type Target = string;

export interface TargetOptions {
  readonly timeoutMs?: number;
  /** Default: the database's. */
  readonly clock?: Clock | undefined;
}

export async function openTarget(target: Target, options: TargetOptions = {}): Promise<FullStore> {
  // A worker process loads only what it needs: it is started a few hundred times.
  if (target.startsWith('sqlite:')) {
    const { openStore } = await import('@redrive/sqlite');
    return openStore(target, options);
  }
  const { openStore } = await import('@redrive/postgres');
  return openStore(target, options);
}
