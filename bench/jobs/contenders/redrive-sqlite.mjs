import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStoreWith } from '../../../packages/sqlite/dist/open-store.js';
import { queueOn } from './redrive.mjs';

const levels = ['OFF', 'NORMAL', 'FULL', 'EXTRA'];

export async function open({ dir, audit = true, telemetry = false, maxAttempts }) {
  const path = join(dir, 'redrive.db');
  const store = await openStoreWith(path, {}, { audit });
  // The writer opens its connection when it is first needed.
  await store.apply([{ kind: 'tick', limit: 1, actor: { name: 'bench' } }]);
  const reading = new DatabaseSync(path, { readOnly: true });
  const waiting = reading.prepare(
    'SELECT coalesce(sum(scheduled + ready + parked + leased), 0) AS count FROM lanes',
  );
  return queueOn(store, {
    maxAttempts,
    telemetry,
    durability: () => durability(),
    unfinished: async () => waiting.get().count,
    async close() {
      reading.close();
      await store.close();
    },
  });
}

/** What the writing connections in all threads say. */
async function durability(asked = 1) {
  const writers = (await globalThis.askSqlite('durability')).filter(({ isReader }) => !isReader);
  if (writers.length === 0 && asked < 20) return durability(asked + 1);
  if (writers.length === 0) throw new Error('no connection writes');
  const synchronous = levels[Math.min(...writers.map((writer) => writer.synchronous))];
  return { journal: writers[0].journal, synchronous };
}
