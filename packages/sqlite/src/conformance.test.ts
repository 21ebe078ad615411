import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { virtualClock } from '@redrive/testkit';
import { storeConformance } from '@redrive/testkit/conformance/store';
import { describe, it } from 'vitest';
import { openStore } from './open-store.ts';

describe('the SQLite store', () => {
  storeConformance(
    async () => {
      const directory = mkdtempSync(join(tmpdir(), 'redrive-sqlite-'));
      const path = join(directory, 'store.db');
      const clock = virtualClock({ startMs: Date.UTC(2026, 0, 1) });
      let store = await openStore(path, { clock });
      return {
        store,
        clock,
        reopen: async () => {
          await store.close();
          store = await openStore(path, { clock });
          return store;
        },
        close: async () => {
          await store.close();
          rmSync(directory, { recursive: true });
        },
      };
    },
    { describe, it },
  );
});
