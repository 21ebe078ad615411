// A worker of `real-outage.ts`: asks the dependency for every job, and notes when an attempt begins.
import { appendFileSync } from 'node:fs';
import { jobsOn } from '@redrive/durable';
import { openTarget } from '../crash/open-target.ts';

const [target = '', worker = '', url = '', logFile = '', timeoutMs = ''] = process.argv.slice(2);
const store = await openTarget(target);
const policy = {
  maxAttempts: 5,
  backoff: 'fixed',
  baseDelayMs: 1_000,
  jitter: 'none',
  enableCircuitBreaker: true,
  circuitBreakerTimeoutMs: Number(timeoutMs),
} as const;

async function call(): Promise<void> {
  appendFileSync(logFile, `${JSON.stringify({ atMs: Date.now(), worker })}\n`);
  const response = await fetch(`${url}?worker=${worker}`, { signal: AbortSignal.timeout(2_000) });
  await response.arrayBuffer();
}

const jobs = jobsOn(store, { call: { run: call, policy, dependency: 'api' } }, { worker });
await jobs.start();
process.on('SIGTERM', async () => {
  await jobs.stop();
  await store.close();
  process.exit();
});
process.send?.('started');
