// A worker of the harness: runs jobs until it is told to stop, or killed.
import { setTimeout as sleep } from 'node:timers/promises';
import { isRedriveError, type Policy } from '@redrive/core';
import { final, type JobContext, jobsOn, type Notice, retryAfter } from '@redrive/durable';
import { telemetry } from '@redrive/telemetry';
import { collectGarbage } from '../collect-garbage.ts';
import { comparedLines } from './check-counters.ts';
import { askDependency } from './dependency.ts';
import { Effects } from './effects.ts';
import { type Deed, Evidence, storeWarnings } from './evidence.ts';
import { doHarm } from './harm.ts';
import { observedStore, unfencedStore } from './observed-store.ts';
import { openTarget } from './open-target.ts';
import { readSettings } from './process-settings.ts';
import { clocksOf } from './shifted-clock.ts';
import {
  CALL_POLICY,
  enqueueNext,
  MORTAL_POLICY,
  PATIENT_POLICY,
  STORM_POLICY,
  type Work,
} from './workload.ts';

const settings = readSettings();
const { name, target, timeoutMs, concurrency, leaseMs, sweepMs, pollMs } = settings;
const evidence = new Evidence(settings.directory);
const SCRAPE_EVERY_MS = 250;

function note(what: Deed['what'], { key }: Work, { attempt, token }: JobContext): void {
  evidence.deeds.write({ what, key, worker: name, attempt, token, atMs: Date.now() });
}

/** Listens to no signal: the worst that a handler can do. */
async function work(task: Work, context: JobContext): Promise<unknown> {
  note('start', task, context);
  await sleep(task.workMs / 2);
  if (task.failsFirst && context.attempt === 1) {
    note('fail', task, context);
    throw new Error('The first attempt fails, as planned');
  }
  if (task.harm !== undefined) doHarm(task.harm, task, context.token, settings.directory);
  try {
    await effects.make(task.key, context);
  } catch (error) {
    note('fail', task, context);
    throw error;
  }
  await sleep(task.workMs / 2);
  enqueueNext(task, context, evidence);
  note('end', task, context);
  return { worker: name, token: context.token };
}

/** Talks to the dependency first, which may have something against it. */
async function call(task: Work, context: JobContext): Promise<unknown> {
  const { answers, hintMs } = askDependency(settings.dependencyFile);
  if (answers === 'ok') return work(task, context);
  note('start', task, context);
  note('fail', task, context);
  if (answers === 'limited') return retryAfter(hintMs, '429 Too Many Requests');
  throw new Error('The dependency is down');
}

/** Dies at once, until somebody has mended what it dies of. */
async function fragile(task: Work, context: JobContext): Promise<unknown> {
  if (askDependency(settings.dependencyFile).isMended) return work(task, context);
  note('start', task, context);
  note('fail', task, context);
  return final('What it needs is broken');
}

const metrics = telemetry({ traces: false });
let scraped = '';

/** A killed process leaves what it wrote here: the counts since then are gone. */
async function scrape(): Promise<void> {
  const lines = comparedLines((await metrics.scrape()).body);
  // A soak would fill its disk with the same lines.
  if (lines !== scraped) evidence.scrapes.write({ worker: name, lines });
  scraped = lines;
}

function remark(notice: Notice): void {
  metrics.onNotice(notice);
  const text = 'error' in notice ? errorText(notice.error) : JSON.stringify(notice);
  evidence.remarks.write({ worker: name, kind: notice.kind, text, atMs: Date.now() });
}

function errorText(error: unknown): string {
  return isRedriveError(error) ? `${error.code}: ${error.message}` : String(error);
}

const policies: Readonly<Record<string, Policy>> = { poison: MORTAL_POLICY, storm: STORM_POLICY };
const clocks = clocksOf(settings.clockFile);
const onWarning = storeWarnings(evidence, name);
const opened = await openTarget(target, { timeoutMs, clock: clocks.store, onWarning });
const effects = await Effects.open({
  ...{ target, evidence, worker: name, leaseMs, ledger: settings.ledger ?? true },
  clock: clocks.store,
});
const store = observedStore(settings.fencing ? opened : unfencedStore(opened), evidence, name);
const jobs = jobsOn(
  store,
  {
    work: {
      run: work,
      // Crashes must not use up the attempts: what is dead is told apart by another fault. Beside poison they cannot:
      // healthy jobs have no more of them than it has.
      policy: policies[settings.workload?.kind ?? ''] ?? PATIENT_POLICY,
      limitPerKey: 2,
    },
    call: { run: call, policy: CALL_POLICY },
    fragile: { run: fragile, policy: PATIENT_POLICY },
    poison: { run: work, policy: MORTAL_POLICY },
  },
  {
    ...{ worker: name, concurrency, leaseMs, sweepMs, pollMs, onNotice: remark },
    events: metrics.events,
    clock: clocks.worker,
    // Clocks that jump by weeks must not take away what is to be checked.
    retention: { succeededMs: Number.POSITIVE_INFINITY, deadMs: Number.POSITIVE_INFINITY },
  },
);

let source: { close(): Promise<void> } | undefined;
// Only the soak sends something: it wants to know what is still held when all else is gone.
process.on('message', async () => {
  await collectGarbage();
  process.send?.('collected');
});
// The harness is gone.
process.once('disconnect', () => process.exit());
process.once('SIGTERM', async () => {
  await source?.close();
  await jobs.stop();
  await scrape();
  await store.close();
  process.exit();
});
await jobs.start();
setInterval(() => void scrape(), SCRAPE_EVERY_MS).unref();
if (settings.events !== undefined) {
  // Only here: a worker without events does not load the clients of brokers.
  const { takeEvents } = await import('./consume-events.ts');
  source = takeEvents(settings.events, { store, jobs, evidence, worker: name });
}
process.send?.('ready');
