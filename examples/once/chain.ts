// A job that enqueues the next one. It is stopped after the next one was enqueued, or is done, and begins again.
// `node examples/once/chain.ts DIRECTORY`
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobsOn } from '@redrive/durable';
import { openStore } from '@redrive/sqlite';
import { stopAt } from './stop-at.ts';

const [directory = '.'] = process.argv.slice(2);
const done = (what: string) => appendFileSync(join(directory, 'done'), `${what}\n`);
const store = await openStore(join(directory, 'jobs.db'));
const policy = { baseDelayMs: 10 };
const jobs = jobsOn(
  store,
  {
    pack: {
      policy,
      run: async (order: number): Promise<void> => {
        // The attempt may be lost after this line, and the next attempt comes here again. Then the invoice exists.
        const next = await jobs.enqueue('invoice', order, { id: `invoice ${order}` });
        stopAt('the next job is enqueued');
        await jobs.wait(next);
        stopAt('the next job is done');
        done(`packed ${order}`);
      },
    },
    invoice: { policy, run: async (order: number) => done(`invoiced ${order}`) },
  },
  { leaseMs: 5_000, sweepMs: 100 },
);
await jobs.start();

const first = await jobs.enqueue('pack', 7, { id: 'pack 7' });
stopAt('the first job is enqueued');
await jobs.wait(first);
stopAt('all is done');

await jobs.stop();
await store.close();
