import type { BreakerStateName, CircuitBreakerState } from '@redrive/core';

/**
 * A circuit breaker that many processes share: a document in a store, and the functions that make the next one of it. It
 * opens after `threshold` failures in a row, over all processes. While it is open, one probe per `timeoutMs` finds out
 * whether the dependency is back: no earlier, because that was set, and no later, because all jobs wait for it.
 */
export interface SharedBreaker {
  readonly state: BreakerStateName;
  /** In a row; while it is not closed, those that opened it and of probes since. */
  readonly failures: number;
  readonly threshold: number;
  readonly timeoutMs: number;
  readonly changedAtMs: number;
  readonly lastFailureAtMs?: number | undefined;
  /** The error of the last failure, for people. Absent: none was reported with it. */
  readonly lastError?: BreakerError | undefined;
  /** While it is not closed: probes that failed since it opened, and when the next one may begin. */
  readonly probes?: { readonly failed: number; readonly nextAtMs: number } | undefined;
  /** Number of the last probe that began. Only the result of that probe counts. */
  readonly probe?: number | undefined;
  /** While it is half-open: when the probe under way began. */
  readonly probeSinceMs?: number | undefined;
  /** While it is half-open: until then no other probe starts. The worker that runs the probe extends it. */
  readonly probeUntilMs?: number | undefined;
  readonly forced?: ForcedState | undefined;
}

/** An error without secrets, with a message of at most `MAX_BREAKER_ERROR` characters. */
export interface BreakerError {
  readonly type: string;
  readonly message: string;
}

/** A breaker's document is read by every process: it has no room for a stack or a page of HTML. */
export const MAX_BREAKER_ERROR = 300;

/** The state that an operator has forced, with its end and reason. */
export interface ForcedState {
  readonly state: 'open' | 'closed';
  /** Absent: until it is reset. */
  readonly untilMs?: number | undefined;
  readonly sinceMs: number;
  readonly by: string;
  readonly why?: string | undefined;
}

/** Results of calls in one process since its last report. */
export interface BreakerReport {
  /** Failures after the last success. */
  readonly failures: number;
  /** Whether there was a success before them. */
  readonly succeeded: boolean;
  /** `changedAtMs` of the breaker that had let them through. Absent: there was none yet. */
  readonly admittedByMs?: number | undefined;
  /** Error of the last failure. */
  readonly lastError?: BreakerError | undefined;
}

/** A probe that nobody keeps for this time loses its place. */
export const PROBE_TIMEOUT_MS = 30_000;
/** The longest time that a probe keeps its place: a probe that hangs must not hold up all others for ever. */
export const PROBE_KEPT_MS = 300_000;
/** A probe begins up to this share of `timeoutMs` later: breakers that opened together do not probe together for ever. */
export const PROBE_JITTER = 0.1;
/** A process knows the store's time only by its last answer. */
const CLOCKS_DIFFER_MS = 5_000;

export function closedBreaker(
  settings: Pick<SharedBreaker, 'threshold' | 'timeoutMs'>,
  nowMs: number,
): SharedBreaker {
  const { threshold, timeoutMs } = settings;
  return { state: 'closed', failures: 0, threshold, timeoutMs, changedAtMs: nowMs };
}

/**
 * Counts the results of attempts that were admitted in this closed period. Results of an earlier period do not count,
 * also when the breaker has closed again: in between, only probes count.
 *
 * @param random uniform on [0, 1): the jitter of the first probe.
 */
export function countReport(
  breaker: SharedBreaker,
  { failures, succeeded, admittedByMs = breaker.changedAtMs, lastError }: BreakerReport,
  nowMs: number,
  random: number,
): SharedBreaker {
  if (breaker.state !== 'closed' || admittedByMs !== breaker.changedAtMs) return breaker;
  const inARow = (succeeded ? 0 : breaker.failures) + failures;
  if (inARow === breaker.failures && failures === 0) return breaker;
  const lastFailureAtMs = failures > 0 ? nowMs : breaker.lastFailureAtMs;
  const counted = {
    ...breaker,
    failures: inARow,
    lastFailureAtMs,
    ...(lastError !== undefined && { lastError }),
  };
  if (inARow < breaker.threshold) return counted;
  const probes = { failed: 0, nextAtMs: probeAfterMs(breaker, nowMs, random) };
  return { ...counted, state: 'open', changedAtMs: nowMs, probes };
}

/** The state now: the one that an operator forced, or else the breaker's own. */
export function breakerStateAt(breaker: SharedBreaker, nowMs: number): BreakerStateName {
  return forcedAt(breaker, nowMs)?.state ?? breaker.state;
}

export function forcedAt({ forced }: SharedBreaker, nowMs: number): ForcedState | undefined {
  return forced === undefined || nowMs >= (forced.untilMs ?? Infinity) ? undefined : forced;
}

/** When the next probe may begin. `Infinity`: there is none to come, because it is closed or forced. */
export function nextProbeAtMs(breaker: SharedBreaker, nowMs: number): number {
  if (breaker.state === 'closed' || forcedAt(breaker, nowMs) !== undefined) return Infinity;
  const { probeUntilMs, probes, timeoutMs } = breaker;
  const atMs = probeUntilMs ?? probes?.nextAtMs ?? 0;
  const longestMs = probeUntilMs === undefined ? timeoutMs * (1 + PROBE_JITTER) : PROBE_TIMEOUT_MS;
  // Only a clock that was set back makes it further ahead: without this, no probe would run for that time.
  return atMs - nowMs > longestMs + CLOCKS_DIFFER_MS ? 0 : atMs;
}

/** Until the next probe may begin. `Infinity`: see `nextProbeAtMs`. */
export function nextProbeInMs(breaker: SharedBreaker, nowMs: number): number {
  return Math.max(0, nextProbeAtMs(breaker, nowMs) - nowMs);
}

/**
 * Takes the place of the one probe, if it is its time. The process that writes this first has it, by the number in
 * `probe`.
 */
export function takeProbe(
  breaker: SharedBreaker,
  nowMs: number,
): (SharedBreaker & { readonly probe: number }) | undefined {
  if (nextProbeInMs(breaker, nowMs) > 0) return undefined;
  return {
    ...breaker,
    state: 'half_open',
    changedAtMs: breaker.state === 'half_open' ? breaker.changedAtMs : nowMs,
    probe: (breaker.probe ?? 0) + 1,
    probeSinceMs: nowMs,
    probeUntilMs: nowMs + PROBE_TIMEOUT_MS,
  };
}

/**
 * Renews the place of a running probe. The same breaker, if the probe has lost its place or has had it for
 * `PROBE_KEPT_MS`. After probes that lost their places this way, a probe has as long as all of them together, so that
 * the result of work that takes hours is observed, too.
 */
export function keepProbe(breaker: SharedBreaker, probe: number, nowMs: number): SharedBreaker {
  if (!isUnderWay(breaker, probe)) return breaker;
  const { probeSinceMs = nowMs, changedAtMs } = breaker;
  const keptMs = Math.max(PROBE_KEPT_MS, probeSinceMs - changedAtMs);
  // Also when the clock was set back.
  if (Math.abs(nowMs - probeSinceMs) > keptMs) return breaker;
  return { ...breaker, probeUntilMs: nowMs + PROBE_TIMEOUT_MS };
}

/**
 * The breaker after a probe, by the probe's number. `nothing`: it was interrupted without a result, and the next one may
 * begin at once. A probe that has lost its place does not count.
 *
 * @param random uniform on [0, 1): the jitter of the next probe.
 * @param error of a probe that failed.
 */
export function endProbe(
  breaker: SharedBreaker,
  probe: number,
  end: 'succeeded' | 'failed' | 'nothing',
  nowMs: number,
  random: number,
  error?: BreakerError,
): SharedBreaker {
  if (!isUnderWay(breaker, probe)) return breaker;
  const { probeSinceMs: _, probeUntilMs: __, ...rest } = breaker;
  // A state that an operator forced meanwhile stays.
  if (end === 'succeeded') return closedAgain(breaker, nowMs, breaker.forced);
  const { failed = 0 } = rest.probes ?? {};
  if (end === 'nothing') {
    return { ...rest, state: 'open', changedAtMs: nowMs, probes: { failed, nextAtMs: nowMs } };
  }
  const probes = { failed: failed + 1, nextAtMs: probeAfterMs(rest, nowMs, random) };
  const failures = rest.failures + 1;
  const lastError = error ?? rest.lastError;
  return {
    ...rest,
    ...{ state: 'open', changedAtMs: nowMs, lastFailureAtMs: nowMs, failures, probes },
    ...(lastError !== undefined && { lastError }),
  };
}

function isUnderWay(breaker: SharedBreaker, probe: number): boolean {
  return breaker.state === 'half_open' && breaker.probe === probe;
}

/** Closes it, clears its counts, and ends a forced state. */
export function resetBreaker(breaker: SharedBreaker, nowMs: number): SharedBreaker {
  return closedAgain(breaker, nowMs, undefined);
}

function closedAgain(
  { threshold, timeoutMs, lastFailureAtMs, lastError, probe, changedAtMs }: SharedBreaker,
  nowMs: number,
  forced: ForcedState | undefined,
): SharedBreaker {
  return {
    // Each closed period has a moment of its own: reports name the period that they belong to by it.
    ...closedBreaker({ threshold, timeoutMs }, Math.max(nowMs, changedAtMs + 1)),
    ...(lastFailureAtMs !== undefined && { lastFailureAtMs }),
    ...(lastError !== undefined && { lastError }),
    ...(probe !== undefined && { probe }),
    ...(forced !== undefined && { forced }),
  };
}

/** A forced state hides the breaker's own state, which stays as it is, until the forced state ends. */
export function forceBreaker(breaker: SharedBreaker, forced: ForcedState): SharedBreaker {
  return { ...breaker, forced };
}

/** The next probe may begin at once. Opens a closed breaker: the operator doubts it. */
export function halfOpenNow(breaker: SharedBreaker, nowMs: number): SharedBreaker {
  const { forced: _, probeSinceMs: __, probeUntilMs: ___, ...rest } = breaker;
  const failed = rest.probes?.failed ?? 0;
  return { ...rest, state: 'open', changedAtMs: nowMs, probes: { failed, nextAtMs: nowMs } };
}

function probeAfterMs(
  { timeoutMs }: Pick<SharedBreaker, 'timeoutMs'>,
  nowMs: number,
  random: number,
): number {
  return nowMs + Math.ceil(timeoutMs * (1 + PROBE_JITTER * random));
}

/** The document of a shared breaker's state, as it is at this moment. `key`: the dependency, or the policy's id. */
export function breakerDocument(
  key: string,
  breaker: SharedBreaker,
  nowMs: number,
): CircuitBreakerState {
  const { failures, threshold, timeoutMs, changedAtMs, lastFailureAtMs } = breaker;
  const forced = forcedAt(breaker, nowMs);
  return {
    policy_id: key,
    state: breakerStateAt(breaker, nowMs),
    failure_count: failures,
    ...(lastFailureAtMs !== undefined && { last_failure_time: iso(lastFailureAtMs) }),
    threshold,
    timeout: timeoutMs / 1_000,
    last_state_change: iso(Math.max(changedAtMs, forced?.sinceMs ?? 0)),
    redrive: { schema_version: 1, calls: 0, isolated: forced?.state === 'open' },
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
