import { auditStoreConformance } from '@redrive/testkit/conformance/audit-store';
import { describe, it } from 'vitest';
import { storeUnderTest } from './testing/store-under-test.ts';

describe('the SQLite store', () => {
  auditStoreConformance(storeUnderTest, { describe, it });
});
