import { type DecisionInput, decide, type ResolvedPolicy } from '@redrive/core';
import {
  type AttemptAccount,
  claimAttempt,
  openAccount,
  philox2x32,
  type Rung,
  settleAttempt,
  viewOf,
} from '@redrive/core/stored';
import { exponential, logarithm } from '../chance/arithmetic.ts';
import {
  type Arrival,
  lastOutage,
  type Outage,
  type OwnFailure,
  outageAt,
  type World,
} from './world.ts';

/** How a session would have gone. */
export interface Course {
  readonly attempts: number;
  /** Attempts after the first one that failed. */
  readonly wasted: number;
  /** `waiting`: it had not ended when the recording did, and nobody knows how it goes on. */
  readonly result: 'succeeded' | 'exhausted' | 'final' | 'waiting';
  /** From the first attempt to the success, or to the end. */
  readonly tookMs: number;
  /** The wait before the last attempt. 0: there was one attempt, at once. */
  readonly lastWaitMs: number;
}

/** The recording's clock has whole milliseconds: a failure lasts one at least. */
const LEAST_MS = 1;
/** No policy makes more attempts at one item than anybody waits for. */
const MAX_TRIES = 100_000;

/** A session in the middle of its course: what its record has, up to a decision that another policy makes otherwise. */
export interface Start {
  /** When the next attempt is due. */
  readonly atMs: number;
  /** Attempts before it. */
  readonly attempts: number;
  readonly account: AttemptAccount;
  /** Attempts after this time are not made. */
  readonly untilMs: number;
}

/** The account of a session whose attempt has just ended, from the part of it that a record has. */
export function accountOf(view: DecisionInput['account']): AttemptAccount {
  const { charged, ...waits } = view;
  const { entries, ...account } = openAccount();
  const before = Math.max(0, charged - 1);
  return { ...account, ...waits, claims: before + 1, entries: { ...entries, failed: before } };
}

/**
 * Puts a policy on a session of a recording. Every wait and give-up is `decide`'s. While the dependency was down, an
 * attempt fails; while the session's own failure lasts, it fails too; otherwise it succeeds. A stored item makes no
 * attempt while its breaker is open.
 */
export function tryPolicy(
  policy: ResolvedPolicy,
  rung: string,
  world: Pick<World, 'outages' | 'own'>,
  arrival: Arrival,
  start: Start = { atMs: arrival.atMs, attempts: 0, account: openAccount(), untilMs: MAX_MS },
): Course {
  const own = world.own.get(arrival.session);
  const ownEndMs = own === undefined ? 0 : endOf(own, arrival.session);
  let { account } = start;
  const hasBreaker = policy.enableCircuitBreaker && rung !== 'call';
  let { atMs } = start;
  let lastWaitMs = 0;
  let failedMs = Number.NEGATIVE_INFINITY;
  for (let attempts = start.attempts + 1; ; attempts += 1) {
    const before = hasBreaker ? lastOutage(world.outages, atMs) : undefined;
    const wokenMs = before === undefined ? atMs : probedMs(policy, before, atMs, failedMs);
    const outage = outageAt(world.outages, wokenMs);
    // Nobody knows how long an outage lasts that the recording does not see the end of.
    const isUnknown = outage?.toMs === Number.POSITIVE_INFINITY && wokenMs > outage.lastFailedMs;
    if (wokenMs > start.untilMs || isUnknown) {
      const made = { attempts: attempts - 1, wasted: Math.max(0, attempts - 2) };
      return { ...made, result: 'waiting', tookMs: atMs - arrival.atMs, lastWaitMs };
    }
    lastWaitMs += wokenMs - atMs;
    atMs = wokenMs;
    const isOwn = own !== undefined && atMs >= own.fromMs && atMs < ownEndMs;
    const course = { attempts, tookMs: atMs - arrival.atMs, lastWaitMs };
    if (own !== undefined && atMs >= own.finalMs)
      return { ...course, result: 'final', wasted: attempts - 1 };
    const failure = outage ?? (isOwn ? own : undefined);
    if (failure === undefined)
      return { ...course, result: 'succeeded', wasted: Math.max(0, attempts - 2) };
    account = claimAttempt(account);
    const { errorClass, hintUntilMs } = failure;
    const decision = decide({
      policy,
      account: viewOf(account),
      outcome: {
        kind: 'failure',
        errorClass,
        effect: 'none',
        ...(hintUntilMs > atMs ? { retryAfterMs: hintUntilMs - atMs } : {}),
      },
      rung: rung as Rung, // A recording's rung is one of core's; any other is decided as a stored one.
      horizonMs: rung === 'call' ? policy.horizonMs : Number.POSITIVE_INFINITY,
      canHandOver: false,
      timeLeftMs: policy.ttlMs - (atMs - arrival.atMs),
      allowance: Number.POSITIVE_INFINITY,
      budgetAllows: true,
      breakerOpenMs: 0,
      onUnknown: 'retry',
      random: randomOf(arrival.session, attempts),
    });
    if (decision.action !== 'retry' || attempts >= MAX_TRIES)
      return { ...course, result: 'exhausted', wasted: attempts - 1 };
    account = settleAttempt(account, decision.charge.entry, decision.delayMs);
    failedMs = atMs;
    lastWaitMs = decision.delayMs;
    atMs += lastWaitMs;
  }
}

const MAX_MS = Number.MAX_VALUE;

/**
 * An item that meets an open breaker waits for the first probe after the recovery, whatever its own wait is. By the time
 * that an item has failed in an outage and waited, the breaker is open.
 */
function probedMs(
  policy: ResolvedPolicy,
  outage: Outage,
  atMs: number,
  lastFailedMs: number,
): number {
  const { fromMs, toMs } = outage;
  const openMs = openedMs(policy, outage);
  if (!(openMs !== undefined && atMs > openMs) && lastFailedMs < fromMs) return atMs;
  if (toMs === Number.POSITIVE_INFINITY) return toMs;
  const sinceMs = openMs ?? lastFailedMs;
  const { circuitBreakerTimeoutMs: timeoutMs } = policy;
  return Math.max(atMs, sinceMs + Math.ceil((toMs - sinceMs) / timeoutMs) * timeoutMs);
}

/** When the breaker of a policy opens in an outage. `undefined`: too few attempts fail in it. */
export function openedMs(policy: ResolvedPolicy, outage: Outage): number | undefined {
  const atMs = outage.failedMs[policy.circuitBreakerThreshold - 1] ?? outage.blockedMs;
  return atMs < outage.toMs ? atMs : undefined;
}

/**
 * An own failure ended between its last failed attempt and the session's first success. Nobody saw when: it is drawn
 * evenly in the logarithm of time, once per session, so that both policies meet the same failure.
 */
export function endOf(own: OwnFailure, session: number): number {
  const { fromMs, lastMs, succeededMs, finalMs } = own;
  if (succeededMs === Number.POSITIVE_INFINITY) return finalMs;
  const least = Math.max(LEAST_MS, lastMs - fromMs);
  const most = Math.max(least, succeededMs - fromMs);
  const share = randomOf(session, 0);
  return fromMs + exponential(logarithm(least) * (1 - share) + logarithm(most) * share);
}

/** On [0, 1): the same for the same session and attempt. */
function randomOf(session: number, attempt: number): number {
  const [high, low] = philox2x32(attempt, session, 0x6c6162);
  return ((high >>> 5) * 0x4000000 + (low >>> 6)) / 0x20000000000000;
}
