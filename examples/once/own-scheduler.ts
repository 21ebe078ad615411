// The report of a day, started by a scheduler of one's own, which starts it again when it fails.
// `node examples/once/own-scheduler.ts DIRECTORY 2026-01-31`
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobsOn } from '@redrive/durable';
import { openStore } from '@redrive/sqlite';
import { stopAt } from './stop-at.ts';

const [directory = '.', day = 'today'] = process.argv.slice(2);
const store = await openStore(join(directory, 'jobs.db'));
const jobs = jobsOn(
  store,
  {
    report: {
      policy: { baseDelayMs: 10 },
      run: async (of: string) => appendFileSync(join(directory, 'done'), `report of ${of}\n`),
    },
  },
  { leaseMs: 5_000, sweepMs: 100 },
);
await jobs.start();

// Each day has one job, as long as the job is kept: see `retention`.
const job = await jobs.enqueue('report', day, { id: `report:${day}` });
stopAt('enqueued');
await jobs.wait(job);
stopAt('done');

await jobs.stop();
await store.close();
