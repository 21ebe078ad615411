import { virtualClock } from '@redrive/testkit';
import { type StoreUnderTest, storeConformance } from '@redrive/testkit/conformance/store';
import { describe, it } from 'vitest';
import { openStore } from './open-store.ts';
import { testServer } from './testing/server.ts';

const server = testServer();

async function makeStore(): Promise<StoreUnderTest> {
  const clock = virtualClock({ startMs: Date.UTC(2026, 0, 29, 12) });
  const schema = server.newSchema();
  const open = () => openStore(server.service.url, { schema, clock });
  let store = await open();
  return {
    store,
    clock,
    async reopen() {
      await store.close();
      store = await open();
      return store;
    },
    close: () => store.close(),
  };
}

describe('the Postgres store', () => {
  storeConformance(makeStore, { describe, it });
});
