// The worker, with node:sqlite. It makes the tables and runs the mails of all programs, until SIGTERM or until idle.
import { jobsOn, stopOn } from '@redrive/durable';
import { openStore } from '@redrive/sqlite';

const store = await openStore('shop.db');
await store.migrate();
const jobs = jobsOn(store, { mail: async (order: string) => console.log(`mail for ${order}`) });
const { stop } = stopOn(process, { jobs: [jobs], stores: [store] });
if (process.argv.includes('--enqueue')) await jobs.enqueue('mail', 'the worker', { id: 'own' });
const { groups } = await store.counts();
console.log(`${groups.reduce((sum, { count }) => sum + count, 0)} jobs`);
await jobs.start();
if (process.argv.includes('--until-idle')) {
  await jobs.idle();
  await stop();
}
