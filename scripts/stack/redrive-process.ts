import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const REDRIVE = join(import.meta.dirname, '../../packages/cli/bin/redrive.cjs');
const STOP_TIMEOUT_MS = 40_000;

export interface RedrivePlace {
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Runs a command to its end, and answers with its output. @throws Error if it fails. */
export async function runRedrive(
  { directory, env }: RedrivePlace,
  args: readonly string[],
): Promise<string> {
  const options = { cwd: directory, env, timeout: 60_000 };
  return (await promisify(execFile)(process.execPath, [REDRIVE, ...args], options)).stdout;
}

/** Starts a command that goes on. Its log is a file of its name. It ends with this process, even if that is killed. */
export function startRedrive(
  { directory, env }: RedrivePlace,
  name: string,
  args: readonly string[],
) {
  const log = openSync(join(directory, `${name}.log`), 'a');
  const program = ['--pdeathsig', 'TERM', process.execPath, REDRIVE, ...args];
  // A group of its own: Ctrl-C is for this process, which stops it in its turn.
  const child = spawn('setpriv', program, {
    ...{ cwd: directory, env, detached: true },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const exited = once(child, 'exit').then(([code, signal]) => String(signal ?? code));
  return {
    pid: child.pid ?? 0,
    /** Resolves with its exit code or signal. */
    exited,
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await exited;
      clearTimeout(timer);
    },
  };
}
