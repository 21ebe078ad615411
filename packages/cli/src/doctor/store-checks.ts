import { statfs, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { commandText } from '@redrive/core/fields';
import { liveWorkers } from '@redrive/durable';
import { controlOverview, schedules } from '@redrive/durable/control';
import { counted, countText, isBounded, missingWorkers } from '@redrive/durable/store';
import { scheduleAnswer } from '@redrive/operate/texts';
import { timesText } from '../schedule/schedule-view.ts';
import { planStoreAt, sqliteFile } from '../store/open-store.ts';
import { formatDuration } from '../terminal/times.ts';
import { type Finding, messageOf, problem, type Subject, warning } from './check.ts';

const REMEDIES: Readonly<Record<string, string>> = {
  store_not_found: 'redrive store migrate creates it, and so does a worker: redrive start',
  schema_too_old: 'redrive store migrate',
  schema_too_new: 'Update this installation of redrive to the version of the other processes.',
  store_forbidden: 'Grant the role its rights: docs/how-to/postgres-in-production.md',
};
const UNREACHABLE =
  'Check that the server runs, and that --store, REDRIVE_STORE or store.url name it.';

/** The store can be opened, and has nothing to warn of. */
export async function checkStore({ store, warnings }: Subject): Promise<readonly Finding[]> {
  try {
    await store;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return [problem('store', messageOf(error), REMEDIES[code] ?? UNREACHABLE)];
  }
  return warnings.map(storeFinding);
}

/** A warning of the store says itself what to do, after its first sentence. */
function storeFinding(text: string): Finding {
  const [, message = text, remedy = ''] = /^(.*?\.) (.*)$/su.exec(text) ?? [];
  return warning('store', message, remedy);
}

/** The tables are those of this version. */
export async function checkSchema({ invocation, url, store }: Subject) {
  // The store in memory has no tables.
  if ((await store).name === 'memory') return [];
  const { from, to } = await planStoreAt(await url, invocation.io.directory);
  if (from >= to) return [];
  const text = `The tables of the store have version ${from}; this version of redrive has ${to}.`;
  return [warning('schema', text, 'redrive store migrate')];
}

/** The server loses no confirmed commit, neither by a crash nor by a failover. */
export async function checkDurability({ url }: Subject): Promise<readonly Finding[]> {
  const address = await url;
  // SQLite refuses to open without `synchronous=FULL`.
  if (!/^postgres(ql)?:/.test(address)) return [];
  const { serverDurability } = await import('@redrive/postgres');
  const { fsync, fullPageWrites, synchronousCommit, standbys } = await serverDurability(address);
  const found: Finding[] = [];
  if (!fsync || !fullPageWrites) {
    const text = 'The server can lose or damage confirmed commits when its machine crashes.';
    found.push(
      problem('durability', text, 'Set fsync = on and full_page_writes = on in postgresql.conf.'),
    );
  }
  const known = standbys.filter(({ syncState }) => syncState !== undefined);
  const waitsForNone = known.every(({ syncState }) => syncState === 'async');
  if (known.length > 0 && (waitsForNone || synchronousCommit === 'local')) {
    const names = known.map(({ name }) => name).join(', ');
    const text = `Commits wait for no standby (${names}): a failover can lose confirmed jobs.`;
    const remedy =
      'Set synchronous_standby_names, with synchronous_commit = on: "Failover" in docs/how-to/postgres-in-production.md';
    found.push(warning('durability', text, remedy));
  }
  return found;
}

/** Clocks of machines differ a little. */
const CLOCK_SLACK_MS = 5_000;

/** The store's clock decides when jobs are due; this machine's clock is in its logs, and in the times that people type. */
export async function checkClock({ store, clock }: Subject): Promise<readonly Finding[]> {
  const opened = await store;
  const beforeMs = clock.now();
  const { nowMs } = await opened.pulse([]);
  const aheadMs = nowMs - (beforeMs + clock.now()) / 2;
  if (Math.abs(aheadMs) <= CLOCK_SLACK_MS) return [];
  const where = aheadMs > 0 ? 'ahead of' : 'behind';
  const text = `The store's clock is ${formatDuration(Math.abs(Math.round(aheadMs)))} ${where} the clock of this machine.`;
  const remedy = 'Synchronise both machines (NTP, chrony): timedatectl status';
  return [problem('clock', text, remedy)];
}

/** Every waiting job has a worker, and all workers have one version. */
export async function checkWorkers({ store }: Subject): Promise<readonly Finding[]> {
  const opened = await store;
  const [counts, live, control] = await Promise.all([
    opened.counts(),
    liveWorkers(opened),
    controlOverview(opened),
  ]);
  // Jobs that are not ready yet need no worker now.
  const missing = missingWorkers({ counts, live, control }).filter(({ ready }) => ready > 0);
  const found = missing.map(({ handler, queues, ready }): Finding => {
    const isCut = isBounded(
      counts,
      (group) => group.handler === handler && group.state === 'ready',
    );
    const count = countText(ready, isCut);
    const text = `No live worker takes jobs of ${handler} in ${queues.join(', ')}: ${count} ready.`;
    const remedy =
      'Start a worker that has the handler: redrive start. "redrive workers list" shows the live ones.';
    return problem('workers', text, remedy);
  });
  const versions = [...new Set(live.workers.map(({ version }) => version))].sort();
  if (versions.length > 1) {
    const text = `Workers of ${counted(versions.length, 'version')} are running: ${versions.join(', ')}.`;
    found.push(warning('workers', text, 'Finish the deployment: docs/how-to/stop-and-deploy.md'));
  }
  return found;
}

/** A worker writes the progress of schedules at least this often. */
const LATE_MS = 60_000;

/** Ticks are enqueued in time. */
export async function checkSchedules({ store }: Subject): Promise<readonly Finding[]> {
  const { nowMs, schedules: all } = await schedules(await store);
  return all.flatMap((schedule) => {
    const { name, untilMs, stopped } = schedule;
    const lateMs = nowMs - untilMs;
    if (stopped !== undefined || lateMs < LATE_MS) return [];
    const text = `No worker has looked after the schedule ${name} (${timesText(scheduleAnswer(schedule, nowMs))}) for ${formatDuration(lateMs)}.`;
    const remedy = `Start a worker that declares it (redrive start), or remove it: ${commandText`redrive schedules remove ${name}`}`;
    return [problem('schedules', text, remedy)];
  });
}

const MIB = 1024 * 1024;
const LEAST_FREE = 256 * MIB;

/** The disk of a SQLite store has room. The disk of a server is not visible from here. */
export async function checkDisk({ url, invocation }: Subject): Promise<readonly Finding[]> {
  const file = sqliteFile(await url);
  if (file === undefined) return [];
  const path = resolve(invocation.io.directory, file);
  const sizeOf = (name: string) => statSync(name, { throwIfNoEntry: false })?.size ?? 0;
  if (sizeOf(path) === 0) return [];
  const { bavail, bsize } = await promisify(statfs)(dirname(path));
  return diskFindings(path, {
    free: bavail * bsize,
    store: sizeOf(path),
    log: sizeOf(`${path}-wal`),
  });
}

interface Sizes {
  readonly free: number;
  readonly store: number;
  /** Size of the write-ahead log. */
  readonly log: number;
}

export function diskFindings(path: string, { free, store, log }: Sizes): readonly Finding[] {
  const found: Finding[] = [];
  const room = `${mib(free)} are free on the disk of ${path}`;
  if (free < LEAST_FREE) {
    const remedy =
      'Free some space, or shorten the retention: docs/how-to/keep-and-delete-jobs.md. Without space no job is accepted.';
    found.push(problem('disk', `Only ${room}.`, remedy));
  } else if (free < store) {
    const remedy = `Free some space: a backup beside it (${mib(store)}) does not fit.`;
    found.push(warning('disk', `${room}.`, remedy));
  }
  if (log > Math.max(store, LEAST_FREE)) {
    const text = `The write-ahead log of ${path} has ${mib(log)}: a reader keeps it from being reset.`;
    const remedy = `Find the process that keeps the file open and end its reading: fuser ${path}`;
    found.push(warning('disk', text, remedy));
  }
  return found;
}

const mib = (bytes: number) => `${Math.floor(bytes / MIB).toLocaleString('en')} MiB`;
