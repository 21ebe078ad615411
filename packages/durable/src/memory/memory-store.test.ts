import { virtualClock } from '@redrive/testkit';
import {
  type FullStoreUnderTest,
  fullStoreConformance,
  storeConformance,
} from '@redrive/testkit/conformance/store';
import { storeModelRuns } from '@redrive/testkit/conformance/store-model';
import { describe, it } from 'vitest';
import { memoryStore } from './memory-store.ts';

async function makeStore(): Promise<FullStoreUnderTest> {
  const clock = virtualClock({ startMs: Date.UTC(2026, 0, 29, 12), monotonicMs: 5_000 });
  return { store: memoryStore({ clock }), clock };
}

describe('the store in memory', () => {
  storeConformance(makeStore, { describe, it });
  fullStoreConformance(makeStore, { describe, it });
  // It is its own model: what these find is what must hold at every look.
  storeModelRuns(makeStore, { describe, it });
});
