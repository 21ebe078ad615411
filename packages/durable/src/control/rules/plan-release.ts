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

/** What is known about a cause and about those that wait for it, at one moment. */
export interface CauseFacts {
  /** How long the cause itself will last. 0: it is gone, or nobody knows of one. `Infinity`: nobody knows how long. */
  readonly lastsMs: number;
  /** For causes that one of the jobs can find out about: when the next one may try. `Infinity`: none may. */
  readonly probeAtMs?: number | undefined;
  readonly park: ParkedCause | undefined;
  /** Jobs that are parked under it, as far as they were counted. */
  readonly parked: number;
  /** What ended at the same dependency since the pace was last told. */
  readonly feedback?: ReleaseFeedback | undefined;
}

/** What is to be done for a cause. `park` is its next document: whoever gets to write it does what the plan says. */
export type ReleasePlan =
  /** Nothing, for so long. `Infinity`: until something changes. */
  | { readonly kind: 'wait'; readonly forMs: number }
  /** Let one go, to try whether the cause is still there: the one whose turn it is, whatever its priority. */
  | { readonly kind: 'probe'; readonly park: ParkedCause }
  /** Let so many go. */
  | { readonly kind: 'release'; readonly jobs: number; readonly park: ParkedCause }
  /** Take the document away: there is nothing left to do. */
  | { readonly kind: 'forget' };

/** A job that was released to be the probe has this time to begin; then another one is. */
export const PROBE_BEGINS_WITHIN_MS = 5_000;
/** Let go at once at most. */
const MOST_AT_ONCE = 1_000;

/**
 * What to do now for those that wait for a cause. A cause that nobody knows any more is one that is gone: what waits for
 * it comes back at the pace all the same.
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
  // One was let go for this very probe: it takes a moment until it begins.
  const isUnderWay =
    park?.probeAtMs !== undefined &&
    park.probeAtMs >= probeAtMs &&
    // Else the clock was set back since, and nobody would try for as long.
    park.probeAtMs <= nowMs + PROBE_BEGINS_WITHIN_MS;
  const atMs = isUnderWay ? park.probeAtMs + PROBE_BEGINS_WITHIN_MS : probeAtMs;
  if (atMs > nowMs) return { kind: 'wait', forMs: atMs - nowMs };
  // It is not the end of the cause, so what was known of a pace is not true any more.
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

/** One that rests has been held up, as by a gate that closed again: what it had grown to would come as a burst. */
function paceOf(park: ParkedCause | undefined, nowMs: number): ReleasePace {
  const pace = park?.pace;
  if (pace !== undefined && !isPaceIdle(pace, nowMs)) return pace;
  return openPace(nowMs, park?.askedPerSecond);
}

const WAIT: ReleasePlan = Object.freeze({ kind: 'wait', forMs: Infinity });
