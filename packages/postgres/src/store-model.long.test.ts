import { storeModelRuns } from '@redrive/testkit/conformance/store-model';
import { describe, it } from 'vitest';
import { NO_SYNC, testServer } from './testing/server.ts';

const server = testServer(NO_SYNC);

describe('the Postgres store', () => {
  storeModelRuns(server.emptyStore, { describe, it }, { runs: 200, runsPerTest: 5 });
});
