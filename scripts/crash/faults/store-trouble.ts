import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@redrive/testkit/services';
import pg from 'pg';
import { checkEverything } from '../check-everything.ts';
import { CliWorker, type Look } from '../cli-worker.ts';
import { Crew } from '../crew.ts';
import { withDiskFault } from '../disk-fault.ts';
import type { Place, StoreKind } from '../place.ts';
import { Findings, type Report, secondsSince } from '../report.ts';

/** What can be wrong with a store for a while. */
export type Trouble = 'sync error' | 'disk full' | 'locked' | 'slow disk';

export interface StoreTroubleOptions {
  readonly seed: number;
  readonly trouble: Trouble;
  readonly jobs: number;
  /** Failing calls, for errors of the disk. */
  readonly failures: number;
  /** How long another process holds the lock, at least: it lets go when the worker has noticed. */
  readonly lockMs: number;
  /** Bunches in which the first half of the jobs is submitted. */
  readonly bunches: number;
  /** Not ready so soon after the trouble began, and ready again so soon after its end: a wait of the worker's is in it. */
  readonly noticedMs: number;
  readonly backMs: number;
}

export const STORE_TROUBLE: Omit<StoreTroubleOptions, 'trouble'> = {
  seed: 1,
  jobs: 400,
  failures: 60,
  lockMs: 30_000,
  bunches: 20,
  noticedMs: 5_000,
  backMs: 15_000,
};

export const TROUBLES: Readonly<Record<StoreKind, readonly Trouble[]>> = {
  sqlite: ['sync error', 'disk full', 'locked', 'slow disk'],
  postgres: ['locked'],
};

/** Between two bunches of jobs. */
const PACE_MS = 250;
/** Per failing call: a worker without a store waits longer and longer between its calls. */
const FAILURE_TIMEOUT_MS = 4_000;
/** Of a sync on a slow disk. Calls that fail take as long: otherwise trouble may be over between two looks. */
const SLOW_MICROSECONDS = 100_000;

/** Gives the store trouble under a worker that `redrive start` runs, and looks at how ready it says it is. */
export async function storeTrouble(place: Place, options: StoreTroubleOptions): Promise<Report> {
  const { trouble, jobs, seed, bunches } = options;
  const startedMs = performance.now();
  const findings = new Findings();
  const log = join(place.directory, 'strace.log');
  const launcher = await launcherFor(options, log);
  const worker = await CliWorker.start(place, { launcher });
  const crew = new Crew(place, { ...CREW, seed, jobs });
  const looking = worker.look();
  let code: number | null = null;
  try {
    await crew.ready();
    const isOver = beginTrouble(place, options, log, worker.looks);
    for (let bunch = 1; bunch <= bunches; bunch++) {
      crew.allow(Math.ceil((jobs / 2) * (bunch / bunches)));
      await sleep(PACE_MS);
    }
    const period = await isOver;
    if (period !== undefined) await until(() => isReadySince(worker.looks, period.toMs), PATIENCE);
    // It goes on as if nothing had been.
    await crew.finish();
    if (period !== undefined) checkReadiness(worker.looks, period, options, findings);
    else checkAlwaysReady(worker.looks, findings);
  } finally {
    code = await worker.stop();
    await looking;
    await crew.stop();
  }
  if (code !== 0) findings.violation('exit code of the worker', String(code));
  const bounds = { workers: 1, concurrency: 10, losses: 1, extraRunsPerLoss: 10 };
  const timing = { leaseMs: 10_000, sweepMs: 5_000, slackMs: 60_000 };
  const { failures } = crew;
  await checkEverything(place, { ...bounds, ...timing, failures }, findings);
  findings.figures.seconds = secondsSince(startedMs);
  const { figures, violations } = findings;
  return { fault: `store trouble: ${trouble}`, store: place.kind, seed, figures, violations };
}

/** Only a submitter: the worker is the one of the command line. */
const CREW = {
  workers: 0,
  concurrency: 0,
  leaseMs: 10_000,
  longShare: 0,
  sweepMs: 0,
  fencing: true,
};
const PATIENCE = { timeoutMs: 30_000, everyMs: 100 };

interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

const SLOW = `delay_enter=${SLOW_MICROSECONDS}`;

async function launcherFor({ trouble, failures }: StoreTroubleOptions, log: string) {
  switch (trouble) {
    case 'sync error':
      return withDiskFault('fsync,fdatasync', `error=EIO:${SLOW}:when=40..${39 + failures}`, log);
    case 'disk full':
      return withDiskFault('pwrite64', `error=ENOSPC:${SLOW}:when=400..${399 + failures}`, log);
    case 'slow disk':
      return withDiskFault('fsync,fdatasync', SLOW, log);
    default:
      return undefined;
  }
}

/** Answers when the trouble began and when it was over. `undefined`: it never is, and only slows. */
async function beginTrouble(
  place: Place,
  { trouble, lockMs, failures }: StoreTroubleOptions,
  log: string,
  looks: readonly Look[],
): Promise<Period | undefined> {
  if (trouble === 'slow disk') return undefined;
  if (trouble === 'locked') return holdLock(place, lockMs, looks);
  const injected = (): number[] =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .filter((line) => line.includes('(INJECTED)'))
          .map((line) => Number(/ (\d+\.\d+) /.exec(line)?.[1]) * 1_000)
      : [];
  const isOver = await until(() => injected().length >= failures, {
    timeoutMs: failures * FAILURE_TIMEOUT_MS,
    everyMs: 200,
  });
  const times = injected();
  if (!isOver) throw new Error(`Only ${times.length} of ${failures} calls have failed`);
  return { fromMs: times[0] ?? 0, toMs: times.at(-1) ?? 0 };
}

async function holdLock(place: Place, lockMs: number, looks: readonly Look[]): Promise<Period> {
  await sleep(1_000);
  const fromMs = Date.now();
  const hold = async (): Promise<void> => {
    await sleep(lockMs);
    await until(() => looks.some(({ atMs, ready }) => !ready && atMs >= fromMs), PATIENCE);
  };
  if (place.kind === 'sqlite') {
    const db = new DatabaseSync(place.databaseFile, { timeout: 5_000 });
    db.exec('BEGIN IMMEDIATE');
    await hold();
    db.exec('COMMIT');
    db.close();
  } else {
    const client = new pg.Client({ connectionString: place.target });
    await client.connect();
    await client.query('begin; lock table redrive.jobs in access exclusive mode');
    await hold();
    await client.query('commit');
    await client.end();
  }
  return { fromMs, toMs: Date.now() };
}

function isReadySince(looks: readonly Look[], sinceMs: number): boolean {
  return looks.some(({ atMs, ready }) => ready && atMs > sinceMs);
}

function checkReadiness(
  looks: readonly Look[],
  { fromMs, toMs }: Period,
  { noticedMs: mostMs, backMs: mostBackMs }: StoreTroubleOptions,
  findings: Findings,
): void {
  findings.figures['trouble, ms'] = Math.round(toMs - fromMs);
  const noticed = looks.find(({ atMs, ready }) => !ready && atMs >= fromMs);
  const noticedMs = Math.round((noticed?.atMs ?? Number.POSITIVE_INFINITY) - fromMs);
  findings.atMost('not ready after, ms', noticedMs, mostMs);
  const back = looks.find(({ atMs, ready }) => ready && atMs >= toMs);
  const backMs = Math.round((back?.atMs ?? Number.POSITIVE_INFINITY) - toMs);
  findings.atMost('ready again after, ms', backMs, mostBackMs);
}

function checkAlwaysReady(looks: readonly Look[], findings: Findings): void {
  findings.figures.looks = looks.length;
  // A worker is not ready while it starts.
  const started = looks.slice(
    Math.max(
      0,
      looks.findIndex(({ ready }) => ready),
    ),
  );
  findings.none(
    'not ready, although only slow',
    started.filter(({ ready }) => ready === false).map(({ atMs }) => new Date(atMs).toISOString()),
  );
}
