import { storeModelRuns } from '@redrive/testkit/conformance/store-model';
import { describe, it } from 'vitest';
import { storeUnderTest } from './testing/store-under-test.ts';

describe('the SQLite store', () => {
  // More of them: store-model.long.test.ts.
  storeModelRuns(storeUnderTest, { describe, it }, { runs: 50 });
});
