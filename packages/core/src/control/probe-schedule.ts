/** When one of those that wait for a cause tries whether it is gone. Plain data, kept in a store. */
export interface ProbeSchedule {
  /** Probes that found it still there. */
  readonly failed: number;
  readonly nextAtMs: number;
}

export interface ProbeIntervals {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Half a second at first, five at most: an outage of half an hour costs under 400 attempts. */
export const PROBE_INTERVALS: ProbeIntervals = Object.freeze({ firstMs: 500, longestMs: 5_000 });

const GROWTH = 1.5;

/** The first probe comes one interval after the cause was found. */
export function openProbes(
  nowMs: number,
  intervals: ProbeIntervals = PROBE_INTERVALS,
): ProbeSchedule {
  return { failed: 0, nextAtMs: nowMs + intervals.firstMs };
}

/** After a probe that failed: a longer interval from now. */
export function afterFailedProbe(
  { failed }: ProbeSchedule,
  nowMs: number,
  intervals: ProbeIntervals = PROBE_INTERVALS,
): ProbeSchedule {
  const intervalMs = Math.min(intervals.longestMs, intervals.firstMs * GROWTH ** (failed + 1));
  return { failed: failed + 1, nextAtMs: nowMs + intervalMs };
}
