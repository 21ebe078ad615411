// Enqueues and works on jobs in one process, and notes every acknowledgement. strace notes what it does to its files.
import { jobsOn } from '@redrive/durable';
import { Evidence } from './evidence.ts';
import { observedStore } from './observed-store.ts';
import { openTarget } from './open-target.ts';
import { type ProcessSettings, readSettings } from './process-settings.ts';

export interface PowerCutSettings extends ProcessSettings {
  readonly jobs: number;
}

const AT_ONCE = 4;

const settings = readSettings<PowerCutSettings>();
const { name, directory, target, timeoutMs } = settings;
const evidence = new Evidence(directory);
const store = observedStore(await openTarget(target, { timeoutMs }), evidence, name);
const jobs = jobsOn(store, { work: (text: string) => text }, { worker: name, concurrency: 2 });
await jobs.start();

let next = 0;
async function lane(): Promise<void> {
  while (next < settings.jobs) {
    const key = `k${next++}`;
    const { id } = await jobs.enqueue('work', 'x'.repeat(1_000), { idempotencyKey: key });
    evidence.accepted.write({ key, id, atMs: Date.now() });
  }
}
process.once('disconnect', () => process.exit());
await Promise.all(Array.from({ length: AT_ONCE }, lane));
await jobs.idle();
process.send?.('done');
