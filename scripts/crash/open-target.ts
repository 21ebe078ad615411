import { type Clock, isRedriveError } from '@redrive/core';
import type { FullStore } from '@redrive/durable';

/** Where a store is: `sqlite:<path>`, or a Postgres URL. */
export type Target = string;

export interface TargetOptions {
  /** Default: the harness's patience. Its own look at a store says nothing about the store's speed. */
  readonly timeoutMs?: number;
  /** Default: the database's. */
  readonly clock?: Clock | undefined;
  /** Default: a warning of the process. */
  readonly onWarning?: (message: string) => void;
}

/** Whoever starts while others hold the store, or on a machine that is busy, tries again, as a supervisor would let it. */
const PATIENCE_MS = 60_000;

export async function openTarget(target: Target, options: TargetOptions = {}): Promise<FullStore> {
  const endMs = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await open(target, { timeoutMs: PATIENCE_MS, ...options });
    } catch (error) {
      if (!isRedriveError(error, 'store_unavailable') || performance.now() > endMs) throw error;
    }
  }
}

async function open(target: Target, options: TargetOptions): Promise<FullStore> {
  // A worker process loads only what it needs: it is started a few hundred times.
  if (target.startsWith('sqlite:')) {
    const { openStore } = await import('@redrive/sqlite');
    return made(await openStore(target, options));
  }
  const { openStore } = await import('@redrive/postgres');
  return made(await openStore(target, options));
}

async function made(store: FullStore): Promise<FullStore> {
  try {
    await store.migrate();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
