// A process that works on the jobs of `bulk`, and on all bulk operations that were submitted, until it is told to stop or is
// killed. Every attempt leaves a line in a file.
import { appendFileSync } from 'node:fs';
import { jobsOn } from '@redrive/durable';
import { openTarget } from '../crash/open-target.ts';

export interface ActProcessSettings {
  readonly target: string;
  readonly worker: string;
  /** Where attempts are noted. Absent: nowhere. */
  readonly attempts?: string | undefined;
  /** `false`: nobody works on the jobs, they are only acted on. */
  readonly works: boolean;
  readonly leaseMs: number;
  readonly concurrency: number;
}

// Written by who has started it.
const settings = JSON.parse(process.argv[2] ?? '{}') as ActProcessSettings;
const { attempts, leaseMs, worker, concurrency } = settings;
const store = await openTarget(settings.target, { timeoutMs: 30_000 });

function bulk(n: number): void {
  if (attempts !== undefined) appendFileSync(attempts, `${n}\n`);
}

const jobs = jobsOn(store, settings.works ? { bulk } : { nothing: () => {} }, {
  worker,
  leaseMs,
  concurrency,
  sweepMs: 500,
});
process.once('disconnect', () => process.exit());
process.once('SIGTERM', async () => {
  await jobs.stop();
  await store.close();
  process.exit();
});
await jobs.start();
process.send?.('ready');
