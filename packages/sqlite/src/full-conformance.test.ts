import { fullStoreConformance } from '@redrive/testkit/conformance/store';
import { describe, it } from 'vitest';
import { storeUnderTest } from './testing/store-under-test.ts';

describe('the SQLite store', () => {
  fullStoreConformance(storeUnderTest, { describe, it });
});
