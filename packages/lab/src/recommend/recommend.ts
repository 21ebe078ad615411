import { definePolicy, type Policy, type ResolvedPolicy } from '@redrive/core';
import type { Attempts } from '../recording/attempts.ts';
import { type AttemptTimeout, attemptTimeoutOf } from './attempt-timeout.ts';
import { type HazardBin, hazardOf } from './hazard.ts';
import { evenly, type Recovery, recoveriesOf } from './recoveries.ts';
import { gapMs, type ScheduleLimits, scheduleOf } from './schedule.ts';
import { courseOf, MAX_TRIES, type Score, scoreOf } from './score.ts';

export interface RecommendOptions {
  /** Costs of an attempt and of a second from a recovery to the attempt that notices it. Absent: at equal attempts. */
  readonly costs?: { readonly perAttempt: number; readonly perSecond: number } | undefined;
  /** The share of good attempts that the attempt timeout may cut off. Default 0.001. */
  readonly falseTimeouts?: number | undefined;
}

/** A policy that was tried. */
export interface Candidate {
  /** `grid`: exponential; of a policy with a breaker, another breaker timeout. */
  readonly kind: 'present' | 'grid' | 'learned';
  /** The fields that differ from the present policy. */
  readonly fields: Policy;
  /** On the recoveries that it was made from, and on the newest fifth. */
  readonly learned: Score;
  readonly heldOut: Score;
}

export interface Recommendation {
  /** Outages and own failures whose end was seen. */
  readonly recoveries: number;
  /** The recommended one. `undefined`: there are fewer than 50 recoveries. */
  readonly chosen: Candidate | undefined;
  readonly candidates: readonly Candidate[];
  /** The cost of an attempt, in ms of waiting: given, or such that attempts are equal. */
  readonly priceMs: number;
  /** Parts of the time since the first failure, each with the gap that follows from its hazard. */
  readonly gaps: readonly (HazardBin & { readonly gapMs: number })[];
  readonly attemptTimeout: AttemptTimeout;
}

export const MIN_RECOVERIES = 50;
const HELD_OUT = 0.2;
/** Recoveries that candidates are tried on. */
const MAX_TRIED = 500;
const MAX_GAP_MS = 1_800_000;
const JITTER = 0.1;
const TIMEOUTS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600].map((seconds) => ({
  circuitBreakerTimeoutMs: seconds * 1_000,
}));
const GRID = [100, 500, 1_000, 5_000, 30_000].flatMap((baseDelayMs) =>
  [1.5, 2, 3].flatMap((multiplier) =>
    [5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000]
      .filter((maxDelayMs) => maxDelayMs >= baseDelayMs)
      .map(
        (maxDelayMs) => ({ backoff: 'exponential', baseDelayMs, multiplier, maxDelayMs }) as const,
      ),
  ),
);

/**
 * Recommends waits for a policy from the recoveries in a recording: a schedule learned from their hazard, the best of the
 * exponential policies, or the present one, whichever does best on the newest fifth. All keep on trying for as long as
 * the present policy does. For a policy with a breaker it is the breaker's timeout, because its probes find a recovery.
 */
export function recommend(
  attempts: Attempts,
  policy: ResolvedPolicy,
  { costs, falseTimeouts = 0.001 }: RecommendOptions = {},
): Recommendation {
  const isProbed = policy.enableCircuitBreaker;
  const all = recoveriesOf(attempts, policy.id).filter(
    ([first]) => !isProbed || first?.outage !== undefined,
  );
  const recoveries = all.filter(([first]) => (first?.succeededMs ?? Infinity) < Infinity).length;
  const attemptTimeout = attemptTimeoutOf(attempts, policy, falseTimeouts);
  if (recoveries < MIN_RECOVERIES)
    return { recoveries, chosen: undefined, candidates: [], priceMs: 0, gaps: [], attemptTimeout };

  const older = all.slice(0, Math.ceil(all.length * (1 - HELD_OUT)));
  const tried = evenly(older, MAX_TRIED).flat();
  const newest = evenly(all.slice(older.length), MAX_TRIED).flat();
  const data = { policy, tried, hazard: hazardOf(older.flat()), ...limitsOf(policy, older.flat()) };
  const given = costs && (costs.perAttempt / costs.perSecond) * 1_000;
  const priceMs = given ?? (isProbed ? 0 : priceAtEqualAttempts(data));

  const candidateOf = (kind: Candidate['kind'], fields: Policy): Candidate => {
    const changed = definePolicy({ ...policy, ...fields });
    const learned = scoreOf(changed, tried, priceMs);
    return { kind, fields, learned, heldOut: scoreOf(changed, newest, priceMs) };
  };
  const present = candidateOf('present', {});
  const most = given === undefined ? present.learned.attempts : present.learned.cost / given;
  const best = bestOf(data, priceMs, most, present.learned);
  const candidates = [
    present,
    ...(best === undefined ? [] : [candidateOf('grid', best)]),
    ...(isProbed ? [] : [candidateOf('learned', scheduleFields(data, priceMs))]),
  ];
  const chosen = candidates.reduce((better, each) =>
    isNoEarlier(each.heldOut, present.heldOut) && each.heldOut.cost < better.heldOut.cost
      ? each
      : better,
  );
  const gaps = data.hazard
    .filter(({ fromMs }) => fromMs < data.seenMs)
    .map((bin) => ({ ...bin, gapMs: gapMs(bin, priceMs, data.capMs) }));
  return { recoveries, chosen, candidates, priceMs, gaps, attemptTimeout };
}

/** The input of candidates. */
interface Data extends ScheduleLimits {
  readonly policy: ResolvedPolicy;
  readonly tried: readonly Recovery[];
  readonly hazard: readonly HazardBin[];
  /** A candidate goes on this long at least. */
  readonly reachMs: number;
}

function limitsOf(policy: ResolvedPolicy, recoveries: readonly Recovery[]) {
  const isCall = recoveries.some(({ rung }) => rung === 'call');
  const never = { endMs: Number.POSITIVE_INFINITY };
  const sum = { attempts: 0, tookMs: 0 };
  for (let session = 0; session < 20; session += 1) {
    const course = courseOf(policy, isCall ? 'call' : 'job', never, session);
    sum.attempts += course.attempts - 1;
    sum.tookMs += course.tookMs;
  }
  const ends = recoveries.map(({ succeededMs }) => succeededMs).filter((ms) => ms < Infinity);
  ends.sort((a, b) => a - b);
  const nearlyAllMs = ends[Math.floor(ends.length * 0.99)] ?? 0;
  return {
    capMs: isCall ? Math.min(MAX_GAP_MS, policy.horizonMs / (1 + JITTER)) : MAX_GAP_MS,
    seenMs: ends.at(-1) ?? 0,
    tailMs: sum.tookMs / Math.max(1, sum.attempts),
    // Somebody waits for a call; a stored item can wait for nearly every recovery that was seen.
    reachMs: Math.max(sum.tookMs / 20, isCall ? 0 : nearlyAllMs),
  };
}

/** The price at which a learned schedule makes as many attempts as the present policy. */
function priceAtEqualAttempts(data: Data): number {
  const { policy, tried } = data;
  const most = scoreOf(policy, tried, 0).attempts;
  let [low, high] = [1, MAX_GAP_MS * 1_000];
  for (let step = 0; step < 30; step += 1) {
    const price = Math.sqrt(low * high);
    const learned = definePolicy({ ...policy, ...scheduleFields(data, price) });
    if (scoreOf(learned, tried, 0, most).attempts > most) low = price;
    else high = price;
  }
  return high;
}

function scheduleFields(data: Data, price: number): Policy {
  const delaysMs = scheduleOf(data.hazard, price, data);
  return patient(data, {
    backoff: 'schedule',
    delaysMs,
    maxDelayMs: Math.max(data.policy.baseDelayMs, ...delaysMs),
    immediateFirstRetry: false,
    jitter: 'proportional',
    jitterAmount: JITTER,
  });
}

/** The cheapest of the grid that gives up no more sessions and stays within the attempts. */
function bestOf(data: Data, price: number, most: number, present: Score): Policy | undefined {
  const { policy, tried, capMs } = data;
  const grid = policy.enableCircuitBreaker
    ? TIMEOUTS
    : GRID.filter(({ maxDelayMs }) => maxDelayMs <= capMs).map((each) => patient(data, each));
  let best: Policy | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const fields of grid) {
    const score = scoreOf(definePolicy({ ...policy, ...fields }), tried, price, most);
    if (score.attempts > most || !isNoEarlier(score, present) || score.cost >= least) continue;
    best = fields;
    least = score.cost;
  }
  return best;
}

/** With as many attempts as it takes to go on for long enough. */
function patient({ policy, reachMs }: Data, fields: Policy): Policy {
  const limits = { maxAttempts: MAX_TRIES, ttlMs: reachMs };
  const changed = definePolicy({ ...policy, ...fields, ...limits });
  const { attempts } = courseOf(changed, 'job', { endMs: Number.POSITIVE_INFINITY }, 0);
  return { ...fields, maxAttempts: Math.min(MAX_TRIES, attempts + 1) };
}

/** It gives up no more sessions before their recovery. */
function isNoEarlier(score: Score, present: Score): boolean {
  return score.exhausted <= present.exhausted + 1e-9;
}
