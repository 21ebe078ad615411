import { decide, type ResolvedPolicy } from '@redrive/core';
import { philox2x32, type Rung } from '@redrive/core/stored';
import { exponential, logarithm } from '../chance/arithmetic.ts';
import { type Arrival, type Outage, type OwnFailure, outageAt, type World } from './world.ts';

/** How a session would have gone. */
export interface Course {
  readonly attempts: number;
  /** Attempts after the first one that failed. */
  readonly wasted: number;
  readonly result: 'succeeded' | 'exhausted' | 'final';
  /** From the first attempt to the success, or to the end. */
  readonly tookMs: number;
  /** The wait before the last attempt. 0: there was one attempt. */
  readonly lastWaitMs: number;
}

/** The recording's clock has whole milliseconds: a failure lasts one at least. */
const LEAST_MS = 1;
/** No policy makes more attempts at one item than anybody waits for. */
const MAX_TRIES = 100_000;

/**
 * Puts a policy on a session of a recording. Every wait and give-up is `decide`'s. While the dependency was down, an
 * attempt fails; while the session's own failure lasts, it fails too; otherwise it succeeds.
 */
export function tryPolicy(
  policy: ResolvedPolicy,
  rung: string,
  world: Pick<World, 'outages' | 'own'>,
  arrival: Arrival,
): Course {
  const own = world.own.get(arrival.session);
  const ownEndMs = own === undefined ? 0 : endOf(own, arrival.session);
  const account = { charged: 0, freeWaits: 0, freeWaitMs: 0, lastDelayMs: 0 };
  let atMs = arrival.atMs;
  let lastWaitMs = 0;
  for (let attempts = 1; ; attempts += 1) {
    const outage = outageAt(world.outages, atMs);
    const isOwn = own !== undefined && atMs >= own.fromMs && atMs < ownEndMs;
    const course = { attempts, tookMs: atMs - arrival.atMs, lastWaitMs };
    if (own !== undefined && atMs >= own.finalMs)
      return { ...course, result: 'final', wasted: attempts - 1 };
    const failure = outage ?? (isOwn ? own : undefined);
    if (failure === undefined)
      return { ...course, result: 'succeeded', wasted: Math.max(0, attempts - 2) };
    account.charged += 1;
    const { errorClass, hintUntilMs } = failure;
    const decision = decide({
      policy,
      account,
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
    if (decision.charge.entry === 'rate_limited') {
      account.charged -= 1;
      account.freeWaits += 1;
      account.freeWaitMs += decision.delayMs;
    }
    account.lastDelayMs = decision.delayMs;
    lastWaitMs = waitOf(policy, rung, atMs, decision.delayMs, outage);
    atMs += lastWaitMs;
  }
}

/** A stored item that meets an open breaker waits for the first probe after the recovery, whatever its own wait is. */
function waitOf(
  policy: ResolvedPolicy,
  rung: string,
  atMs: number,
  delayMs: number,
  outage: Outage | undefined,
): number {
  if (!policy.enableCircuitBreaker || rung === 'call' || outage === undefined) return delayMs;
  const { circuitBreakerTimeoutMs: timeoutMs } = policy;
  if (outage.toMs === Number.POSITIVE_INFINITY) return delayMs;
  const probes = Math.ceil((outage.toMs - outage.fromMs) / timeoutMs);
  return Math.max(0, outage.fromMs + probes * timeoutMs - atMs);
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
