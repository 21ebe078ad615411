import { virtualClock } from '@redrive/testkit';
import { storeConformance } from '@redrive/testkit/conformance/store';
import { describe, it } from 'vitest';
import { openStoreWith } from './open-store.ts';
import { scratch } from './testing/scratch.ts';
import { withoutThreads } from './testing/without-threads.ts';

describe('the SQLite store', () => {
  storeConformance(
    async () => {
      const { path, remove } = scratch();
      const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
      const open = () => openStoreWith(path, { clock }, { audit: true, start: withoutThreads });
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
    },
    { describe, it },
  );
});
