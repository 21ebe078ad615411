import { poisonConformance } from '@redrive/testkit/conformance/poison';
import { describe, it } from 'vitest';
import { storeUnderTest } from './testing/store-under-test.ts';

describe('on SQLite', () => {
  poisonConformance(storeUnderTest, { describe, it }, [
    { workers: 1, healthy: 9, poisonous: 1 },
    { workers: 2, healthy: 99, poisonous: 3 },
  ]);
});
