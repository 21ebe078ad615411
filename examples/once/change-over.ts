// Takes over the failed jobs of another queue, page by page. `node examples/once/change-over.ts DIRECTORY`, with the jobs
// in `DIRECTORY/failed.jsonl`: {"id":"17","to":"ada@example.org"}
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobsOn } from '@redrive/durable';
import { openStore } from '@redrive/sqlite';
import { stopAt } from './stop-at.ts';

interface OldJob {
  readonly id: string;
  readonly to: string;
}

const [directory = '.'] = process.argv.slice(2);
const store = await openStore(join(directory, 'jobs.db'));
const jobs = jobsOn(
  store,
  {
    mail: {
      policy: { baseDelayMs: 10 },
      run: async ({ to }: OldJob) => appendFileSync(join(directory, 'done'), `mail to ${to}\n`),
    },
  },
  { leaseMs: 5_000, sweepMs: 100 },
);
await jobs.start();

const lines = readFileSync(join(directory, 'failed.jsonl'), 'utf8').trim().split('\n');
// A line of the file: see above.
const failed = lines.map((line) => JSON.parse(line) as OldJob);
const PAGE = 2;
for (let from = 0; from < failed.length; from += PAGE) {
  const page = failed.slice(from, from + PAGE);
  // A job that was taken over before is found under the id of the old one, also when it is finished.
  const taken = await jobs.enqueueMany('mail', page, ({ id }) => ({ id: `old-queue:${id}` }));
  stopAt(`page ${from / PAGE + 1} is enqueued`);
  await Promise.all(taken.map((job) => jobs.wait(job)));
  stopAt(`page ${from / PAGE + 1} is done`);
}

await jobs.stop();
await store.close();
