import { readFileSync, writeFileSync } from 'node:fs';
import { type Clock, systemClock } from '@redrive/core';

/** How far clocks are off, in milliseconds. */
export interface Shifts {
  /** Of the store. */
  readonly storeMs: number;
  /** Of the machines that workers run on. */
  readonly workerMs: number;
}

/** The clocks of a process: both are off as the file says, which changes while they run. Without one: the usual ones. */
export function clocksOf(file: string | undefined): {
  readonly store: Clock | undefined;
  readonly worker: Clock;
} {
  if (file === undefined) return { store: undefined, worker: systemClock };
  const shifts = (): Shifts => JSON.parse(readFileSync(file, 'utf8'));
  const shifted = (shiftMs: () => number): Clock => ({
    now: () => systemClock.now() + shiftMs(),
    monotonic: () => systemClock.monotonic(),
    setTimer: (delayMs, wake) => systemClock.setTimer(delayMs, wake),
  });
  return { store: shifted(() => shifts().storeMs), worker: shifted(() => shifts().workerMs) };
}

/** Short enough to be written at once: nobody reads half of it. */
export function shiftClocks(file: string, shifts: Shifts): void {
  writeFileSync(file, JSON.stringify(shifts));
}
