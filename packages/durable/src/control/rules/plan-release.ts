import type { ParkedCause } from './documents.ts';
import {
  adjustPace,
  isPaceIdle,
  openPace,
  paceWaitMs,
  type ReleaseFeedback,
  type ReleasePace,
  takeFromPace,
} from './release-pace.ts';

/** A cause and the jobs that are parked under it, at one moment. */
export interface CauseFacts {
  /** The time until the cause is gone. 0: it is gone. `Infinity`: the time is not known. */
  readonly lastsMs: number;
  /** For a cause with probes: the time of the next probe. `Infinity`: no probe may run. */
  readonly probeAtMs?: number | undefined;
  readonly park: ParkedCause | undefined;
  /** The number of jobs that are parked under it, up to the count's limit. */
  readonly parked: number;
  /** Results of attempts at the same dependency since the last adjustment of the pace. */
  readonly feedback?: ReleaseFeedback | undefined;
}

/** The next step for a cause. `park` is its next document: the process that writes it first carries out the plan. */
export type ReleasePlan =
  /** Nothing for this time. `Infinity`: until something changes. */
  | { readonly kind: 'wait'; readonly forMs: number }
  /** Release one job as a probe: the next in turn, with any priority. */
  | { readonly kind: 'probe'; readonly park: ParkedCause }
  /** Release this many jobs. */
  | { readonly kind: 'release'; readonly jobs: number; readonly park: ParkedCause }
  /** Delete the document: nothing is left to do. */
  | { readonly kind: 'forget' };

/** A job that was released as a probe has this time to begin. After it, another job becomes the probe. */
export const PROBE_BEGINS_WITHIN_MS = 5_000;
/** Jobs of one release at most. */
const MOST_AT_ONCE = 1_000;

/**
 * The next step for the jobs that are parked under a cause. A cause without a document is gone: its jobs are released at
 * the pace, too.
 */
export function planRelease(facts: CauseFacts, nowMs: number): ReleasePlan {
  const { park, lastsMs, parked } = facts;
  if (park?.held !== undefined) return WAIT;
  if (parked === 0) {
    return park !== undefined && lastsMs === 0 ? { kind: 'forget' } : WAIT;
  }
  return lastsMs > 0 ? planProbe(facts, nowMs) : planPace(facts, nowMs);
}

function planProbe({ park, lastsMs, probeAtMs }: CauseFacts, nowMs: number): ReleasePlan {
  if (probeAtMs === undefined) return { kind: 'wait', forMs: lastsMs };
  // A job was released for this probe: it begins after a moment.
  const isUnderWay =
    park?.probeAtMs !== undefined &&
    park.probeAtMs >= probeAtMs &&
    // Otherwise the clock was set back since, and no probe would run for that time.
    park.probeAtMs <= nowMs + PROBE_BEGINS_WITHIN_MS;
  const atMs = isUnderWay ? park.probeAtMs + PROBE_BEGINS_WITHIN_MS : probeAtMs;
  if (atMs > nowMs) return { kind: 'wait', forMs: atMs - nowMs };
  // The cause is still there, so an earlier pace is not valid any more.
  const { pace: _, ...rest } = park ?? { sinceMs: nowMs };
  return { kind: 'probe', park: { ...rest, probeAtMs: nowMs } };
}

function planPace({ park, parked, feedback }: CauseFacts, nowMs: number): ReleasePlan {
  const before = paceOf(park, nowMs);
  const adjusted = feedback === undefined ? before : adjustPace(before, feedback, nowMs);
  const { pace, granted } = takeFromPace(adjusted, Math.min(parked, MOST_AT_ONCE), nowMs);
  if (granted === 0) return { kind: 'wait', forMs: Math.max(1, paceWaitMs(adjusted, nowMs)) };
  const { probeAtMs: _, ...rest } = park ?? { sinceMs: nowMs };
  return { kind: 'release', jobs: granted, park: { ...rest, pace } };
}

/** An idle pace was interrupted, for example by a gate that closed again: its old rate would make a burst. */
function paceOf(park: ParkedCause | undefined, nowMs: number): ReleasePace {
  const pace = park?.pace;
  if (pace !== undefined && !isPaceIdle(pace, nowMs)) return pace;
  return openPace(nowMs, park?.askedPerSecond);
}

const WAIT: ReleasePlan = Object.freeze({ kind: 'wait', forMs: Infinity });
