import { readFileSync, renameSync, writeFileSync } from 'node:fs';
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

/** Nobody reads half of it. */
export function shiftClocks(file: string, shifts: Shifts): void {
  writeFileSync(`${file}.next`, JSON.stringify(shifts));
  renameSync(`${file}.next`, file);
}

/** What the store's clock has shown, by the machine's own time. */
export class ShiftedTimes {
  readonly #shifts: { readonly fromMs: number; readonly shiftMs: number }[] = [];

  /** From now on it is off by so much. */
  add(shiftMs: number): void {
    this.#shifts.push({ fromMs: Date.now(), shiftMs });
  }

  /** The latest time that it has shown from one moment to another. Who asked it just before a jump may use it later. */
  latestMs(fromMs: number, toMs: number): number {
    let latestMs = -Infinity;
    for (const [index, { fromMs: sinceMs, shiftMs }] of this.#shifts.entries()) {
      const untilMs = this.#shifts[index + 1]?.fromMs ?? Infinity;
      if (sinceMs <= toMs && untilMs >= fromMs) {
        latestMs = Math.max(latestMs, Math.min(untilMs, toMs) + shiftMs);
      }
    }
    return latestMs;
  }
}
