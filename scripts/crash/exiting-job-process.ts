// A worker whose jobs are short and have one attempt each. One of them ends the process.
import type { Policy } from '@redrive/core';
import { jobsOn } from '@redrive/durable';
import { openTarget, type Target } from './open-target.ts';

export interface ExitingJobSettings {
  readonly target: Target;
  readonly policy: Policy;
  readonly concurrency: number;
  readonly leaseMs: number;
}

// Written by the test that starts this process.
const settings = JSON.parse(process.argv[2] ?? '{}') as ExitingJobSettings;
const { target, policy, concurrency, leaseMs } = settings;
const store = await openTarget(target);
const run = ({ exits }: { readonly exits: boolean }): void => {
  if (exits) process.exit(1);
};
const jobs = jobsOn(
  store,
  { run: { run, policy } },
  { concurrency, leaseMs, sweepMs: 100, pollMs: 100 },
);

process.once('disconnect', () => process.exit());
process.once('SIGTERM', async () => {
  await jobs.stop();
  await store.close();
  process.exit();
});
await jobs.start();
process.send?.('ready');
