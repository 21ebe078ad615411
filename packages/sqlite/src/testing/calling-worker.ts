import { systemClock } from '@redrive/core';
import { type JobContext, jobsOn } from '@redrive/durable';
import { openMade } from './open-made.ts';

// A worker beside the test: its jobs ask a dependency over HTTP, and report the start of their attempt to it. It works
// until it is killed.

const [path = '', worker = '', url = ''] = process.argv.slice(2);
const store = await openMade(path, { timeoutMs: 30_000 });

async function call(n: number, { signal }: JobContext): Promise<void> {
  const asked = new URLSearchParams({ n: `${n}`, worker, startedAtMs: `${systemClock.now()}` });
  const response = await fetch(`${url}?${asked}`, { signal });
  await response.arrayBuffer();
  if (response.ok) return;
  const { status, headers } = response;
  throw Object.assign(new Error(`The dependency answered ${status}`), { status, headers });
}

const jobs = jobsOn(
  store,
  { call: { run: call, dependency: 'api', policy: { maxAttempts: 5, jitter: 'none' } } },
  { worker, concurrency: 5, log: 'off' },
);
await jobs.start();
process.send?.('started');
