// Submits or works on a few jobs, and dies at a named point of it. Exit code 3: it never came there.
import { setTimeout as sleep } from 'node:timers/promises';
import { type JobContext, jobsOn } from '@redrive/durable';
import { type CrashPoint, crash, crashingStore } from './crash-points.ts';
import { Effects } from './effects.ts';
import { type Deed, Evidence } from './evidence.ts';
import { observedStore } from './observed-store.ts';
import { openTarget } from './open-target.ts';
import { type ProcessSettings, readSettings } from './process-settings.ts';
import { enqueueNext, PATIENT_POLICY, type Work } from './workload.ts';

export interface CrashPointSettings extends ProcessSettings {
  /** Absent: it is killed from outside. */
  readonly point?: CrashPoint;
  /** Dies when it comes there for the nth time. */
  readonly nth: number;
  readonly duringMs: number;
  readonly queue: string;
  /** Jobs that it submits instead of working. */
  readonly submits: readonly Work[];
}

/** Whoever has not come to its point by then never will, however busy the machine is. */
const GIVE_UP_MS = 60_000;

const settings = readSettings<CrashPointSettings>();
const { name, point, nth, queue, submits, leaseMs, sweepMs, pollMs, concurrency } = settings;
const evidence = new Evidence(settings.directory);
const opened = await openTarget(settings.target, { timeoutMs: settings.timeoutMs });
const crashing =
  point === undefined ? opened : crashingStore(opened, point, nth, settings.duringMs);
const store = observedStore(crashing, evidence, name);

function note(what: Deed['what'], { key }: Work, { attempt, token }: JobContext): void {
  evidence.deeds.write({ what, key, worker: name, attempt, token, atMs: Date.now() });
}

const effects = await Effects.open({
  ...{ target: settings.target, evidence, worker: name, leaseMs, ledger: true },
  clock: undefined,
});
let made = 0;
/** A job whose lease was lost runs again, and its effect does not happen again. */
let happened = 0;

async function work(task: Work, context: JobContext): Promise<void> {
  note('start', task, context);
  await sleep(task.workMs);
  made += 1;
  if (point === 'before effect' && made === nth) await crash();
  await effects.make(task.key, context, async () => {
    happened += 1;
    if (point === 'after effect' && happened === nth) await crash();
  });
  if (point === 'after record' && made === nth) await crash();
  enqueueNext(task, context, evidence);
  note('end', task, context);
}

const jobs = jobsOn(
  store,
  { work: { run: work, policy: PATIENT_POLICY } },
  { worker: name, queues: [queue], concurrency, leaseMs, sweepMs, pollMs },
);

process.once('disconnect', () => process.exit());
setTimeout(() => process.exit(3), GIVE_UP_MS);
for (const work of submits) {
  evidence.attempted.write({ key: work.key, atMs: Date.now() });
  const { id } = await jobs.enqueue('work', work, { queue, idempotencyKey: work.key });
  evidence.accepted.write({ key: work.key, id, atMs: Date.now() });
}
if (submits.length === 0) await jobs.start();
process.send?.('ready');
