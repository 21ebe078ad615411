import type { Clock } from '@redrive/core';

/** Waits, or until somebody has had enough. */
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
