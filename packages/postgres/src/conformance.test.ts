import { storeConformance } from '@redrive/testkit/conformance/store';
import { storeModelRuns } from '@redrive/testkit/conformance/store-model';
import { describe, it } from 'vitest';
import { NO_SYNC, testServer } from './testing/server.ts';

const server = testServer(NO_SYNC);

describe('the Postgres store', () => {
  storeConformance(server.emptyStore, { describe, it });
  // More of them: store-model.long.test.ts.
  storeModelRuns(server.emptyStore, { describe, it }, { runs: 20, runsPerTest: 5 });
});
