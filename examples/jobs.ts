// Durable jobs in an application: a flaky mail server, one job that cannot work, and what is left of both.
// `node examples/jobs.ts`
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { final, jobDocument, jobsOn } from '@redrive/durable';
import { openStore } from '@redrive/sqlite';

const directory = mkdtempSync(join(tmpdir(), 'redrive-example-'));
const store = await openStore(join(directory, 'jobs.db'));

interface Mail {
  readonly to: string;
  readonly subject: string;
}

const jobs = jobsOn(
  store,
  {
    mail: {
      policy: { maxAttempts: 4, baseDelayMs: 20, jitter: 'none' },
      run: async ({ to, subject }: Mail, { attempt }) => {
        // A mistake in the data does not get better.
        if (!to.includes('@')) return final(`no such address: ${to}`);
        if (attempt < 3) throw new Error('421 too busy');
        return `"${subject}" sent to ${to}`;
      },
    },
  },
  // By default a job that dies is a warning of the process.
  { log: 'off' },
);

// Stored at once, worked on whenever a worker runs: here, or in another process on the same file.
const first = await jobs.enqueue('mail', { to: 'ada@example.org', subject: 'Hello' });
const second = await jobs.enqueue('mail', { to: 'nobody', subject: 'Hello' });

await jobs.start();
const { succeeded, died } = await jobs.idle();
console.log(`${succeeded} succeeded, ${died} died`);

for (const { id } of [first, second]) {
  const job = await jobs.job(id);
  if (job === undefined) continue;
  const { state, reason, result, attempts } = jobDocument(job);
  console.log(`${state} (${reason})${result === null ? '' : `: ${result}`}`);
  for (const { attempt_number, delay, error } of attempts) {
    console.log(`  attempt ${attempt_number} after ${delay} s: ${error?.message ?? 'worked'}`);
  }
}

await jobs.stop();
await store.close();
rmSync(directory, { recursive: true });
