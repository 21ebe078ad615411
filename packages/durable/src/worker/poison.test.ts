import { virtualClock } from '@redrive/testkit';
import { poisonConformance } from '@redrive/testkit/conformance/poison';
import { describe, it } from 'vitest';
import { memoryStore } from '../memory/memory-store.ts';
import { START_MS } from '../testing/work-bench.ts';

poisonConformance(
  async () => {
    const clock = virtualClock({ startMs: START_MS, monotonicMs: 7_000 });
    return { store: memoryStore({ clock }), clock };
  },
  { describe, it },
);
