// Redrive on its in-memory store: not durable, and in no table. For profiling client and worker alone.
import { memoryStore } from '../../../packages/durable/dist/index.js';
import { queueOn } from './redrive.mjs';

const waiting = new Set(['scheduled', 'ready', 'parked', 'leased']);

export async function open() {
  const store = memoryStore();
  return queueOn(store, {
    durability: async () => ({}),
    async unfinished() {
      const { groups } = await store.counts();
      return groups.reduce((sum, { state, count }) => sum + (waiting.has(state) ? count : 0), 0);
    },
  });
}
