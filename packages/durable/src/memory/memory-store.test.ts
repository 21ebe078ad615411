import { virtualClock } from '@redrive/testkit';
import { storeConformance } from '@redrive/testkit/conformance/store';
import { describe, it } from 'vitest';
import { memoryStore } from './memory-store.ts';

describe('the store in memory', () => {
  storeConformance(
    async () => {
      const clock = virtualClock({ startMs: Date.UTC(2026, 0, 29, 12), monotonicMs: 5_000 });
      return { store: memoryStore({ clock }), clock };
    },
    { describe, it },
  );
});
