import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Resident memory of a process, now and at most since the peak was forgotten, in bytes. Linux only. */
export function memoryOf(pid: number): { readonly bytes: number; readonly peakBytes: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1_024;
  return { bytes: of('VmRSS'), peakBytes: of('VmHWM') };
}

/** How many files, pipes and sockets a process has open. */
export function openFilesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** From here on, only what comes counts. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
