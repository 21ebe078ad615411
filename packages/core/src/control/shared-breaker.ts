import type { BreakerStateName } from '../breaker/breaker.ts';
import {
  afterFailedProbe,
  openProbes,
  PROBE_INTERVALS,
  type ProbeIntervals,
  type ProbeSchedule,
} from './probe-schedule.ts';

/**
 * A circuit breaker that many processes share: a document in a store, and the functions that make the next one of it. It
 * opens after `threshold` failures in a row, over all processes. While it is open, one probe at a time finds out whether
 * the dependency is back, at growing intervals of at most `timeoutMs`.
 */
export interface SharedBreaker {
  readonly state: BreakerStateName;
  /** In a row; while it is not closed, those that opened it and of probes since. */
  readonly failures: number;
  readonly threshold: number;
  readonly timeoutMs: number;
  readonly changedAtMs: number;
  readonly lastFailureAtMs?: number | undefined;
  /** While it is not closed. */
  readonly probes?: ProbeSchedule | undefined;
  /** While it is half-open: when the probe under way began. Only its own end counts. */
  readonly probeSinceMs?: number | undefined;
  readonly forced?: ForcedState | undefined;
}

/** What an operator has set it to. */
export interface ForcedState {
  readonly state: 'open' | 'closed';
  /** Absent: until it is reset. */
  readonly untilMs?: number | undefined;
  readonly sinceMs: number;
  readonly by: string;
  readonly why?: string | undefined;
}

/** What ended in one process since it last told. */
export interface BreakerNews {
  /** Failures after the last success. */
  readonly failures: number;
  /** Whether there was a success before them. */
  readonly succeeded: boolean;
}

/** A probe that has not ended after this time loses its place. */
export const PROBE_TIMEOUT_MS = 30_000;

export function closedBreaker(
  settings: Pick<SharedBreaker, 'threshold' | 'timeoutMs'>,
  nowMs: number,
): SharedBreaker {
  const { threshold, timeoutMs } = settings;
  return { state: 'closed', failures: 0, threshold, timeoutMs, changedAtMs: nowMs };
}

/** Counts what ended while it was closed. What ends later than that says nothing: only probes count then. */
export function countNews(
  breaker: SharedBreaker,
  { failures, succeeded }: BreakerNews,
  nowMs: number,
): SharedBreaker {
  if (breaker.state !== 'closed') return breaker;
  const inARow = (succeeded ? 0 : breaker.failures) + failures;
  if (inARow === breaker.failures && failures === 0) return breaker;
  const lastFailureAtMs = failures > 0 ? nowMs : breaker.lastFailureAtMs;
  const counted = { ...breaker, failures: inARow, lastFailureAtMs };
  if (inARow < breaker.threshold) return counted;
  const probes = openProbes(nowMs, intervalsOf(breaker));
  return { ...counted, state: 'open', changedAtMs: nowMs, probes };
}

/** What holds now: an operator's word, or what it has found out itself. */
export function breakerStateAt(breaker: SharedBreaker, nowMs: number): BreakerStateName {
  return forcedAt(breaker, nowMs)?.state ?? breaker.state;
}

export function forcedAt({ forced }: SharedBreaker, nowMs: number): ForcedState | undefined {
  return forced === undefined || nowMs >= (forced.untilMs ?? Infinity) ? undefined : forced;
}

/** Until the next probe may begin. `Infinity`: there is none to come, because it is closed or forced. */
export function nextProbeInMs(breaker: SharedBreaker, nowMs: number): number {
  if (breaker.state === 'closed' || forcedAt(breaker, nowMs) !== undefined) return Infinity;
  const { probeSinceMs, probes } = breaker;
  const atMs =
    probeSinceMs === undefined ? (probes?.nextAtMs ?? 0) : probeSinceMs + PROBE_TIMEOUT_MS;
  return Math.max(0, atMs - nowMs);
}

/** Takes the place of the one probe, if it is its time. Whoever gets to write this has it. */
export function takeProbe(breaker: SharedBreaker, nowMs: number): SharedBreaker | undefined {
  if (nextProbeInMs(breaker, nowMs) > 0) return undefined;
  const changedAtMs = breaker.state === 'half_open' ? breaker.changedAtMs : nowMs;
  return { ...breaker, state: 'half_open', probeSinceMs: nowMs, changedAtMs };
}

/**
 * The end of the probe that began at `sinceMs`. `nothing`: it was taken away before it said anything, and the next one
 * may begin at once.
 */
export function endProbe(
  breaker: SharedBreaker,
  sinceMs: number,
  end: 'succeeded' | 'failed' | 'nothing',
  nowMs: number,
): SharedBreaker {
  if (breaker.state !== 'half_open' || breaker.probeSinceMs !== sinceMs) return breaker;
  const { probeSinceMs: _, ...rest } = breaker;
  if (end === 'succeeded') return resetBreaker(breaker, nowMs);
  const before = rest.probes ?? openProbes(nowMs, intervalsOf(rest));
  if (end === 'nothing') {
    const probes = { ...before, nextAtMs: nowMs };
    return { ...rest, state: 'open', changedAtMs: nowMs, probes };
  }
  const probes = afterFailedProbe(before, nowMs, intervalsOf(rest));
  const failures = rest.failures + 1;
  return { ...rest, state: 'open', changedAtMs: nowMs, lastFailureAtMs: nowMs, failures, probes };
}

/** Closes it and forgets what it has counted, an operator's word too. */
export function resetBreaker(breaker: SharedBreaker, nowMs: number): SharedBreaker {
  const { threshold, timeoutMs, lastFailureAtMs } = breaker;
  const closed = closedBreaker({ threshold, timeoutMs }, nowMs);
  return lastFailureAtMs === undefined ? closed : { ...closed, lastFailureAtMs };
}

/** An operator's word holds until its end, whatever happens. Underneath, it is what it was. */
export function forceBreaker(breaker: SharedBreaker, forced: ForcedState): SharedBreaker {
  return { ...breaker, forced };
}

/** The next probe may begin at once. Opens a closed one: somebody doubts it. */
export function halfOpenNow(breaker: SharedBreaker, nowMs: number): SharedBreaker {
  const { forced: _, probeSinceMs: __, ...rest } = breaker;
  const failed = rest.probes?.failed ?? 0;
  return { ...rest, state: 'open', changedAtMs: nowMs, probes: { failed, nextAtMs: nowMs } };
}

function intervalsOf({ timeoutMs }: Pick<SharedBreaker, 'timeoutMs'>): ProbeIntervals {
  const { firstMs, longestMs } = PROBE_INTERVALS;
  return { firstMs: Math.min(firstMs, timeoutMs), longestMs: Math.min(longestMs, timeoutMs) };
}
