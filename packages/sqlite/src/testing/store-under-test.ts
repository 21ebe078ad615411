import { virtualClock } from '@redrive/testkit';
import type { FullStoreUnderTest } from '@redrive/testkit/conformance/store';
import { FAST_PATHS, type FastPaths, FROM_ONE } from '../fast-paths.ts';
import { openMade } from './open-made.ts';
import { scratch } from './scratch.ts';
import { withoutThreads } from './without-threads.ts';

/** An empty store on virtual time, for the suites of testkit. */
export function storeUnderTest(): Promise<FullStoreUnderTest> {
  return storeWith(FAST_PATHS);
}

/** The same, with every fast path from 1 on. */
export function fastStoreUnderTest(): Promise<FullStoreUnderTest> {
  return storeWith(FROM_ONE);
}

async function storeWith(fastPaths: FastPaths): Promise<FullStoreUnderTest> {
  const { path, remove } = scratch();
  const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
  const open = () => openMade(path, { clock }, { audit: true, start: withoutThreads, fastPaths });
  let store = await open();
  return {
    store,
    clock,
    reopen: async () => {
      await store.close();
      store = await open();
      return store;
    },
    close: async () => {
      await store.close();
      remove();
    },
  };
}
