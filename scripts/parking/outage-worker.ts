// A worker of `real-outage.ts`: asks the dependency for every job, and notes when an attempt begins.
import { appendFileSync } from 'node:fs';
import { loadConfig, lookUp } from '@redrive/config';
import { jobsOn } from '@redrive/durable';
import { openTarget } from '../crash/open-target.ts';

const [target = '', worker = '', url = '', logFile = '', configFile = ''] = process.argv.slice(2);
const store = await openTarget(target);
const { config, problems } = await loadConfig({ file: configFile });
if (config === undefined) throw new Error(JSON.stringify(problems));

async function call(): Promise<void> {
  appendFileSync(logFile, `${JSON.stringify({ atMs: Date.now(), worker })}\n`);
  const response = await fetch(`${url}?worker=${worker}`, { signal: AbortSignal.timeout(2_000) });
  await response.arrayBuffer();
}

const jobs = jobsOn(
  store,
  { call: { run: call, policy: 'call', dependency: 'api' } },
  { worker, policies: (id) => lookUp(config, id).policy?.policy },
);
await jobs.start();
process.on('SIGTERM', async () => {
  await jobs.stop();
  await store.close();
  process.exit();
});
process.send?.('started');
