import { storeModelRuns } from '@redrive/testkit/conformance/store-model';
import { describe, it } from 'vitest';
import { FROM_ONE } from './fast-paths.ts';
import { NO_SYNC, testServer } from './testing/server.ts';

const server = testServer(NO_SYNC, FROM_ONE);

describe('the Postgres store with every fast path from 1 on', () => {
  storeModelRuns(
    server.emptyStore,
    { describe, it },
    { runs: 100, runsPerTest: 5, seed: 6_000, claims: 'any' },
  );
});
