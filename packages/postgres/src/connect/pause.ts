import { systemClock } from '@redrive/core';

/** Waits before the database is asked again. */
export function pause(delayMs: number): Promise<void> {
  return new Promise((resolve) => void systemClock.setTimer(delayMs, resolve));
}
