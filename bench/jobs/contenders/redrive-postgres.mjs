import { openStore } from '../../../packages/postgres/dist/index.js';
import { openPool } from './open-pool.mjs';
import { postgresDurability } from './postgres-durability.mjs';
import { queueOn } from './redrive.mjs';

export async function open({ postgres, audit = true }) {
  const store = audit ? await openStore(postgres) : await openWithoutAudit(postgres);
  const pool = openPool(postgres, 1);
  const queue = queueOn(store, () => postgresDurability(pool));
  return {
    ...queue,
    async close() {
      await store.close();
      await pool.end();
    },
  };
}

async function openWithoutAudit() {
  throw new Error('not yet');
}
