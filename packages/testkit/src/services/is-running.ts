import { readFileSync } from 'node:fs';

/** Whether a process lives, whoever's it is. One that has ended and waits to be noticed by its parent does not. */
export function isRunning(pid: number): boolean {
  try {
    const [, state = ''] = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return !'ZX'.includes(state);
  } catch {
    return false;
  }
}
