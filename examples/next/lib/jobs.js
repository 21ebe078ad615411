import { jobsOn, runsElsewhere } from '@redrive/durable';
import { openStore } from '@redrive/sqlite'; // or @redrive/postgres

async function open() {
  const store = await openStore(process.env.SHOP_DB ?? 'shop.db');
  await store.migrate();
  return jobsOn(store, { mail: runsElsewhere() });
}

/** The jobs of the shop, which run in worker.mjs. One store per process: Next.js loads this file more than once. */
export function shopJobs() {
  globalThis.shopJobs ??= open();
  return globalThis.shopJobs;
}
