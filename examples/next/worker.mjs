// Runs the jobs, in a process that lives as long as it has work: beside `next start`, or on another machine with Postgres.
import { jobsOn, stopOn } from '@redrive/durable';
import { openStore } from '@redrive/sqlite';

const store = await openStore(process.env.SHOP_DB ?? 'shop.db');
const jobs = jobsOn(store, { mail: async (order) => console.log(`mail for ${order}`) });
await jobs.start();
console.log('ready');
stopOn(process, { jobs: [jobs], stores: [store] });
