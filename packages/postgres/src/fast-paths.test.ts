import { storeModelRuns } from '@redrive/testkit/conformance/store-model';
import { describe, it } from 'vitest';
import { FROM_ONE } from './fast-paths.ts';
import { NO_SYNC, testServer } from './testing/server.ts';

const server = testServer(NO_SYNC, FROM_ONE);

describe('the Postgres store with every fast path from 1 on', () => {
  // For a moment the cursor of a claim stands behind jobs that came back: which job it takes is not compared.
  // More of them: fast-path-models.long.test.ts.
  storeModelRuns(
    server.emptyStore,
    { describe, it },
    { runs: 10, runsPerTest: 5, seed: 5_000, claims: 'any' },
  );
});
