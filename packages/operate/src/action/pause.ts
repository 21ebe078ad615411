import type { Clock } from '@redrive/core';

/** Waits for this time, or until the signal. */
export function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = clock.setTimer(Math.max(0, delayMs), end);
    signal.addEventListener('abort', end, { once: true });
    function end(): void {
      timer.cancel();
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
}

/** `undefined`: not within this time. */
export function within<T>(work: Promise<T>, ms: number, clock: Clock): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = clock.setTimer(ms, () => late.resolve(undefined));
  return Promise.race([work, late.promise]).finally(() => timer.cancel());
}
