// A worker that stops without losing work: `node src/worker.ts monthly yearly`, then Ctrl-C
import { setTimeout as wait } from 'node:timers/promises';
import { jobsOn } from '@redrive/durable';
import { openStore } from '@redrive/sqlite';

const store = await openStore('jobs.db');
const jobs = jobsOn(
  store,
  {
    report: async (name: string, { signal }) => {
      console.log(`writing ${name}`);
      // Pass the signal on: it aborts when the grace time is over, or when the job is cancelled.
      await wait(1_000, undefined, { signal });
      console.log(`wrote ${name}`);
    },
  },
  { concurrency: 1 },
);

// Claims nothing more, and gives running jobs 30 seconds. Jobs that have not started wait for the next worker.
async function stop(): Promise<void> {
  await jobs.stop();
  await store.close();
  console.log('stopped');
}
process.once('SIGTERM', stop);
process.once('SIGINT', stop);

for (const name of process.argv.slice(2)) await jobs.enqueue('report', name);
await jobs.start();
