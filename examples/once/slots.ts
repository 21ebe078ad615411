// Many requests in an hour, one refresh. `node examples/once/slots.ts DIRECTORY`
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobsOn } from '@redrive/durable';
import { openStore } from '@redrive/sqlite';
import { stopAt } from './stop-at.ts';

const [directory = '.'] = process.argv.slice(2);
const store = await openStore(join(directory, 'jobs.db'));
const jobs = jobsOn(
  store,
  {
    refresh: {
      policy: { baseDelayMs: 10 },
      run: async (city: string) => appendFileSync(join(directory, 'done'), `refreshed ${city}\n`),
    },
  },
  { leaseMs: 5_000, sweepMs: 100 },
);
await jobs.start();

for (const visitor of ['ada', 'bob', 'eve']) {
  // For an hour after the first of them there is no other job with this key, whether that one is finished or not.
  const unique = { key: 'refresh berlin', forMs: 3_600_000 };
  const job = await jobs.enqueue('refresh', 'berlin', { unique });
  stopAt(`${visitor} has enqueued`);
  await jobs.wait(job);
  stopAt(`${visitor} is served`);
}

await jobs.stop();
await store.close();
