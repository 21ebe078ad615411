import { systemClock } from '@redrive/core';
import { BUS_TIMEOUTS } from '../event/bus.ts';

/** Resolves when the promise settles, or after 2 s: the client of a lost connection may never answer. */
export function settledSoon(promise: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = systemClock.setTimer(BUS_TIMEOUTS.fetchMs, resolve);
    const settle = () => {
      timer.cancel();
      resolve();
    };
    promise.then(settle, settle);
  });
}
