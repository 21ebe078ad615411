import { virtualClock } from '@redrive/testkit';
import {
  type HistoryOptions,
  auditedHistory as letHappen,
} from '@redrive/testkit/conformance/audit-store';
import { memoryStore } from '../memory/memory-store.ts';

/** A store in memory with every event of jobs in its log, as a function of the seed. */
export async function auditedHistory(options: HistoryOptions) {
  const clock = virtualClock({ startMs: Date.UTC(2026, 0, 29, 12) });
  const store = memoryStore({ clock });
  const policies = await letHappen(store, clock, options);
  return { store, clock, policies };
}
