import { virtualClock } from '@redrive/testkit';
import { auditStoreConformance } from '@redrive/testkit/conformance/audit-store';
import { describe, it } from 'vitest';
import { memoryStore } from './memory-store.ts';

describe('the audit log of the store in memory', () => {
  auditStoreConformance(
    async () => {
      const clock = virtualClock({ startMs: Date.UTC(2026, 0, 29, 12) });
      return { store: memoryStore({ clock }), clock };
    },
    { describe, it },
  );
});
