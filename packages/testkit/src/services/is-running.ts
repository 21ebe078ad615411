import { readFileSync } from 'node:fs';

/** Whether a process of any user lives. A zombie, whose parent has not read its exit code yet, does not. */
export function isRunning(pid: number): boolean {
  try {
    return isAlive(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/**
 * Reads `/proc/<pid>/stat`. A killed process whose first thread has ended is shown as a zombie while other threads still
 * hold its files and sockets: until the last one has ended, its port answers.
 */
export function isAlive(stat: string): boolean {
  // The name, in parentheses, may contain anything. After it: the state (field 3) … the number of threads (field 20).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return !'ZX'.includes(fields[0] ?? '') || Number(fields[17]) > 1;
}
