import type { Clock } from '@redrive/core';

/** `undefined`: not within this time. */
export function within<T>(work: Promise<T>, ms: number, clock: Clock): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = clock.setTimer(ms, () => late.resolve(undefined));
  return Promise.race([work, late.promise]).finally(() => timer.cancel());
}
