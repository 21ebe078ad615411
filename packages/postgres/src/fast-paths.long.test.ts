import { fullStoreConformance, storeConformance } from '@redrive/testkit/conformance/store';
import { storeModelRuns } from '@redrive/testkit/conformance/store-model';
import { describe, it } from 'vitest';
import { FROM_ONE, WITHOUT_CURSOR } from './fast-paths.ts';
import { NO_SYNC, testServer } from './testing/server.ts';

const server = testServer(NO_SYNC, FROM_ONE);
const exact = testServer(NO_SYNC, WITHOUT_CURSOR);

describe('the Postgres store with every fast path from 1 on', () => {
  storeConformance(exact.emptyStore, { describe, it });
  fullStoreConformance(exact.emptyStore, { describe, it }, 'quick');
  storeModelRuns(
    server.emptyStore,
    { describe, it },
    { runs: 100, runsPerTest: 5, seed: 6_000, claims: 'any' },
  );
});
