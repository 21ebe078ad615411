import { storeModelRuns } from '@redrive/testkit/conformance/store-model';
import { describe, it } from 'vitest';
import { storeUnderTest } from './testing/store-under-test.ts';

describe('the SQLite store', () => {
  storeModelRuns(storeUnderTest, { describe, it }, { runs: 200 });
});
