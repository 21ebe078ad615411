// A worker with many handlers that want what its store might want, too: the few connections of the application's pool
// on Postgres, the one writer on SQLite.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FullStore } from '@redrive/durable';
import { type JobContext, jobsOn } from '@redrive/durable';
import pg from 'pg';
import { type Deed, Evidence } from './evidence.ts';
import { observedStore, withMethods } from './observed-store.ts';
import { openTarget } from './open-target.ts';
import { type ProcessSettings, readSettings } from './process-settings.ts';
import { PATIENT_POLICY, type Work } from './workload.ts';

export interface StarvationSettings extends ProcessSettings {
  /** Connections of the application's pool. */
  readonly connections: number;
  /** `false`: heartbeats wait until no handler is at work, and the harness must find out. */
  readonly heartbeats: boolean;
}

/** Between two jobs of a handler that enqueues: fifty of them are enough to keep the writer busy. */
const BREATH_MS = 20;

const settings = readSettings<StarvationSettings>();
const { name, target, timeoutMs, concurrency, leaseMs, sweepMs, pollMs } = settings;
const evidence = new Evidence(settings.directory);
const isSqlite = target.startsWith('sqlite:');
const pool = new pg.Pool({ connectionString: target, max: settings.connections });
let atWork = 0;

function note(what: Deed['what'], { key }: Work, { attempt, token }: JobContext): void {
  evidence.deeds.write({ what, key, worker: name, attempt, token, atMs: Date.now() });
}

async function work(task: Work, context: JobContext): Promise<void> {
  note('start', task, context);
  atWork += 1;
  try {
    if (isSqlite) await keepWriterBusy(task);
    else await pool.query('select pg_sleep($1)', [task.workMs / 1_000]);
  } finally {
    atWork -= 1;
  }
  note('effect', task, context);
  note('end', task, context);
}

/** Enqueues one job after the other until its time is over. */
async function keepWriterBusy({ key, workMs }: Work): Promise<void> {
  const endMs = performance.now() + workMs;
  for (let n = 1; performance.now() < endMs; n++) {
    const child = `${key}-${n}`;
    evidence.attempted.write({ key: child, atMs: Date.now() });
    const work: Work = { key: child, workMs: 0, failsFirst: false };
    const { id } = await jobs.enqueue('child', work, { queue: 'later', idempotencyKey: child });
    evidence.accepted.write({ key: child, id, atMs: Date.now() });
    await sleep(BREATH_MS);
  }
}

function child(task: Work, context: JobContext): void {
  note('start', task, context);
  note('effect', task, context);
  note('end', task, context);
}

/** The planted fault: heartbeats that stand in the same line as the work. */
function withLateHeartbeats(store: FullStore): FullStore {
  return withMethods(store, {
    async heartbeat(leases, ms) {
      while (atWork > 0) await sleep(20);
      return store.heartbeat(leases, ms);
    },
  });
}

const opened = isSqlite
  ? await openTarget(target, { timeoutMs })
  : await (await import('@redrive/postgres')).openStore({ pool }, { timeoutMs });
const store = observedStore(
  settings.heartbeats ? opened : withLateHeartbeats(opened),
  evidence,
  name,
);
const jobs = jobsOn(
  store,
  {
    work: { run: work, policy: PATIENT_POLICY },
    child: { run: child, policy: PATIENT_POLICY },
  },
  { worker: name, concurrency, leaseMs, sweepMs, pollMs },
);

process.once('disconnect', () => process.exit());
process.once('SIGTERM', async () => {
  await jobs.stop();
  await store.close();
  await pool.end();
  process.exit();
});
await jobs.start();
process.send?.('ready');
