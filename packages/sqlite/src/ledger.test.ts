import { ledgerConformance } from '@redrive/testkit/conformance/ledger';
import { describe, it } from 'vitest';
import { storeUnderTest } from './testing/store-under-test.ts';

describe('the ledger of the SQLite store', () => {
  ledgerConformance(
    async () => {
      const { store, clock, close } = await storeUnderTest();
      return { ledger: store.ledger(), clock, close: async () => close?.() };
    },
    { describe, it },
  );
});
