import { openStoreWith } from '../../../packages/postgres/dist/open-store.js';
import { openPool } from './open-pool.mjs';
import { postgresDurability } from './postgres-durability.mjs';
import { queueOn } from './redrive.mjs';

export async function open({ postgres, audit = true, maxAttempts }) {
  const store = await openStoreWith(postgres, {}, { audit });
  await store.migrate();
  const pool = openPool(postgres, 1);
  return queueOn(store, {
    maxAttempts,
    durability: () => postgresDurability(pool),
    unfinished: async () =>
      (await pool.query('SELECT count(*)::int AS count FROM redrive.jobs')).rows[0].count,
    async close() {
      await store.close();
      await pool.end();
    },
  });
}
