import { signal } from '@preact/signals';
import { systemClock } from '@redrive/core';

export const clock = systemClock;

/** The server's time, each second: ages on the page are right also where the browser's clock is not. */
export const now = signal(clock.now());

let offsetMs = 0;
const MAX_DIFFERENCE_MS = 2_000;

/** @param header the `Date` of an answer, which has whole seconds. */
export function noteServerTime(header: string | null): void {
  const serverMs = Date.parse(header ?? '');
  const differenceMs = serverMs - clock.now();
  if (Number.isFinite(differenceMs)) {
    offsetMs = Math.abs(differenceMs) > MAX_DIFFERENCE_MS ? differenceMs : 0;
  }
}

export function startClock(): void {
  now.value = clock.now() + offsetMs;
  clock.setTimer(1_000 - (now.value % 1_000), startClock);
}
