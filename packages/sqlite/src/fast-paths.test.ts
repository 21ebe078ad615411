import { storeModelRuns } from '@redrive/testkit/conformance/store-model';
import { describe, it } from 'vitest';
import { fastStoreUnderTest } from './testing/store-under-test.ts';

describe('the SQLite store with every fast path from 1 on', () => {
  storeModelRuns(fastStoreUnderTest, { describe, it }, { runs: 50, seed: 5_000 });
});
