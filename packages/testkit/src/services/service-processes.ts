import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './is-running.ts';
import { until } from './until.ts';

/** The environment variable that names the service's directory to all its processes. */
export const SERVICE_DIR_VARIABLE = 'REDRIVE_SERVICE_DIR';

/**
 * The live processes of the service in `dir`: those that work there or were started with its variable. Ids of children
 * would not do: Postgres puts each backend into a session of its own and overwrites its environment, Erlang's epmd
 * leaves the family and the directory. Zombies have neither and do not count.
 */
export function serviceProcesses(dir: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .filter((entry) => worksIn(entry, dir) || wasStartedFor(entry, dir))
    .map(Number);
}

function worksIn(pid: string, dir: string): boolean {
  const cwd = orEmpty(() => readlinkSync(`/proc/${pid}/cwd`));
  return cwd === dir || cwd.startsWith(`${dir}/`);
}

function wasStartedFor(pid: string, dir: string): boolean {
  const environment = orEmpty(() => readFileSync(`/proc/${pid}/environ`, 'utf8'));
  return environment.split('\0').includes(`${SERVICE_DIR_VARIABLE}=${dir}`);
}

/** A file of a process that cannot be read belongs to another user, or the process has just ended. */
function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}

/** Asks the service's processes to end and waits; what has not ended after `patienceMs` is killed. */
export async function endServiceProcesses(
  dir: string,
  stopSignal: NodeJS.Signals,
  patienceMs: number,
): Promise<void> {
  const asked = signalAll(dir, stopSignal);
  const areGone = (): boolean => serviceProcesses(dir).length === 0 && !asked.some(isRunning);
  if (await until(areGone, { timeoutMs: patienceMs })) return;
  await killServiceProcesses(dir);
}

/** Kills the service's processes, also those that are being forked meanwhile; resolves when all are gone. */
export async function killServiceProcesses(dir: string): Promise<void> {
  // A process loses its directory and its environment before its sockets: one that is not listed may still answer.
  const killed = new Set<number>();
  for (;;) {
    const pids = signalAll(dir, 'SIGKILL');
    for (const pid of pids) killed.add(pid);
    if (pids.length === 0 && ![...killed].some(isRunning)) return;
    await sleep(5);
  }
}

/** @returns the processes that there were. */
function signalAll(dir: string, signal: NodeJS.Signals): readonly number[] {
  const pids = serviceProcesses(dir);
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended since it was listed.
    }
  }
  return pids;
}
