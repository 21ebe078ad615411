import { fullStoreConformance, storeConformance } from '@redrive/testkit/conformance/store';
import { storeModelRuns } from '@redrive/testkit/conformance/store-model';
import { describe, it } from 'vitest';
import { fastStoreUnderTest } from './testing/store-under-test.ts';

describe('the SQLite store with every fast path from 1 on', () => {
  storeConformance(fastStoreUnderTest, { describe, it });
  fullStoreConformance(fastStoreUnderTest, { describe, it });
  storeModelRuns(fastStoreUnderTest, { describe, it }, { runs: 400, seed: 6_000 });
});
