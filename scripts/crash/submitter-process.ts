// Submits jobs of the harness, as many as it is allowed to, until it is told to stop, or killed.
import { once } from 'node:events';
import { jobsOn } from '@redrive/durable';
import { Evidence, storeWarnings } from './evidence.ts';
import { openTarget } from './open-target.ts';
import { type ProcessSettings, readSettings } from './process-settings.ts';
import { clocksOf } from './shifted-clock.ts';
import { nthJob, type Work } from './workload.ts';

export interface SubmitterSettings extends ProcessSettings {
  /** Number of its first job: nobody has tried to submit it. */
  readonly from: number;
}

const IN_FLIGHT = 8;

const settings = readSettings<SubmitterSettings>();
const { name, target, timeoutMs } = settings;
const evidence = new Evidence(settings.directory);
const clocks = clocksOf(settings.clockFile);
const onWarning = storeWarnings(evidence, name);
const store = await openTarget(target, { timeoutMs, clock: clocks.store, onWarning });
const work = (_: Work): void => {};
const handlers = { work, poison: work, call: work, fragile: work };
const jobs = jobsOn(store, handlers, { worker: name });

let next = settings.from;
/** Submissions that the store has answered, or failed to answer. */
let answered = 0;
let upTo = 0;
let isStopping = false;

async function submit(n: number): Promise<void> {
  const { handler, work, options } = nthJob(settings, n);
  evidence.attempted.write({ key: work.key, atMs: Date.now() });
  try {
    const { id, outcome } = await jobs.enqueue(handler, work, options);
    if (outcome === 'created') evidence.accepted.write({ key: work.key, id, atMs: Date.now() });
  } catch (error) {
    // It may be there or not: nobody was told that it is safe.
    const text = String(error);
    evidence.remarks.write({ worker: name, kind: 'enqueue', text, atMs: Date.now() });
  }
  answered += 1;
  process.send?.({ answered });
}

async function lane(): Promise<void> {
  while (!isStopping) {
    if (next > upTo) await once(process, 'message');
    else await submit(next++);
  }
}

process.on('message', (message: { readonly upTo: number }) => {
  upTo = message.upTo;
});
// The harness is gone.
process.once('disconnect', () => process.exit());
process.once('SIGTERM', async () => {
  isStopping = true;
  await store.close();
  process.exit();
});
process.send?.('ready');
await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
