import type { ParkedJobs } from '@redrive/durable/control';

/** The number of jobs that are parked under a cause. */
export function parkedUnder(
  cause: string,
  all: readonly ParkedJobs[],
): { readonly parked: number; readonly bounded: boolean } {
  const { count = 0, bounded = false } = all.find((each) => each.cause === cause) ?? {};
  return { parked: count, bounded };
}
