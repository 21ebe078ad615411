import type { ResolvedPolicy } from '@redrive/core';
import { tryPolicy } from '../backtest/try-policy.ts';
import type { Recovery } from './recoveries.ts';

/** The result of a policy at recoveries. */
export interface Score {
  /** Attempts per recovery, the first one included; with a breaker: probes. */
  readonly attempts: number;
  /** Mean time from a recovery to the attempt that notices it. */
  readonly delayMs: number;
  /** Share of recoveries that come too late: the session was given up. */
  readonly exhausted: number;
  /** All of it as a wait, in ms. */
  readonly cost: number;
}

/** A session that is given up too early waits for a person. */
const GIVEN_UP_MS = 3_600_000;
/** More attempts than anybody makes at one item. */
export const MAX_TRIES = 10_000;
const TOO_MANY = { attempts: Infinity, delayMs: Infinity, exhausted: 1, cost: Infinity };
const FAILURE = { errorClass: 'retryable', errorType: undefined, hintUntilMs: 0 } as const;

/**
 * Tries a policy on recoveries. `price`: an attempt costs as much as a wait of this time.
 *
 * @param most attempts per recovery. A policy that makes more is not tried to the end: its attempts are `Infinity`.
 */
export function scoreOf(
  policy: ResolvedPolicy,
  recoveries: readonly Recovery[],
  price: number,
  most = Number.POSITIVE_INFINITY,
): Score {
  const { enableCircuitBreaker: isProbed, circuitBreakerTimeoutMs: timeoutMs } = policy;
  const mostInAll = most * recoveries.reduce((all, { weight }) => all + weight, 0);
  const sum = { weight: 0, attempts: 0, ended: 0, delayMs: 0, recovered: 0, waitedMs: 0 };
  for (const [session, recovery] of recoveries.entries()) {
    const { weight, endMs, outage } = recovery;
    const isOver = endMs !== Number.POSITIVE_INFINITY;
    // Nobody knows when an outage ends that outlasts the recording. An item of its own was given up.
    if (!isOver && outage !== undefined) continue;
    const rung = isProbed ? 'job' : recovery.rung;
    const { attempts, tookMs, result } = courseOf(policy, rung, recovery, session);
    const fromMs = outage?.fromMs ?? 0;
    sum.weight += weight;
    sum.attempts += weight * (isProbed ? Math.round((tookMs - fromMs) / timeoutMs) : attempts);
    if (sum.attempts > mostInAll) return TOO_MANY;
    if (!isOver) continue;
    sum.ended += weight;
    const isNoticed = result === 'succeeded';
    const delayMs = isNoticed ? tookMs - endMs : GIVEN_UP_MS;
    sum.recovered += isNoticed ? weight : 0;
    sum.delayMs += isNoticed ? weight * delayMs : 0;
    // One probe is for all sessions that wait for it.
    sum.waitedMs += weight * delayMs * (isProbed ? (outage?.sessions ?? 1) : 1);
  }
  const all = Math.max(Number.MIN_VALUE, sum.weight);
  return {
    attempts: sum.attempts / all,
    delayMs: sum.delayMs / Math.max(Number.MIN_VALUE, sum.recovered),
    exhausted: sum.ended === 0 ? 0 : Math.max(0, 1 - sum.recovered / sum.ended),
    cost: (price * sum.attempts + sum.waitedMs) / all,
  };
}

/** How a session goes that fails at the time 0. */
export function courseOf(
  policy: ResolvedPolicy,
  rung: string,
  { endMs, outage }: Pick<Recovery, 'endMs' | 'outage'>,
  session: number,
) {
  const fromMs = outage?.fromMs ?? 0;
  // Where there is a breaker, it opens at the first failure.
  const opens = { failedMs: [], blockedMs: fromMs };
  const ends = { toMs: endMs, lastFailedMs: endMs, succeededMs: endMs };
  const maxAttempts = Math.min(policy.maxAttempts, MAX_TRIES);
  return tryPolicy(
    { ...policy, maxAttempts },
    rung,
    { outages: [{ ...FAILURE, ...opens, ...ends, fromMs }], own: new Map() },
    { session, group: 0, atMs: 0, isSuccess: false },
  );
}
