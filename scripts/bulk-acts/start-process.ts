import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ActProcessSettings } from './act-process.ts';

/** A process of `act-process.ts` that works. */
export interface ActProcess {
  /** With SIGKILL: nothing of it gets a chance to end well. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export async function startProcess(settings: ActProcessSettings): Promise<ActProcess> {
  const file = join(import.meta.dirname, 'act-process.ts');
  const child = fork(file, [JSON.stringify(settings)], { execArgv: [], stdio: 'inherit' });
  const exited = once(child, 'exit');
  await Promise.race([
    once(child, 'message'),
    exited.then(() => Promise.reject(new Error('It ended at once.'))),
  ]);
  return { kill: () => end(child, exited, 'SIGKILL'), stop: () => end(child, exited, 'SIGTERM') };
}

async function end(
  child: ChildProcess,
  exited: Promise<unknown>,
  signal: 'SIGKILL' | 'SIGTERM',
): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal);
  await exited;
}
