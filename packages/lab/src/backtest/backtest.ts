import type { ResolvedPolicy } from '@redrive/core';
import type { Attempts } from '../recording/attempts.ts';
import { type Course, openedMs, tryPolicy } from './try-policy.ts';
import { outageAt, type World, worldsOf } from './world.ts';

/** A figure and how far off it may be: 1.96 times its standard error, from 20 parts of the recording's time. */
export interface Measured {
  readonly value: number;
  readonly spread: number;
}

/** What a policy would have done. `null`: nothing can be said. */
export interface BacktestFigures {
  /** Per session. */
  readonly attempts: Measured;
  /** Share of sessions that succeeded after a failure, or after they waited for a dependency that was down. */
  readonly recovered: Measured;
  /** Share of sessions that were given up. */
  readonly exhausted: Measured;
  /** Failed attempts after the first, per session. */
  readonly wasted: Measured;
  /** Mean time in ms from the first attempt to the success, of sessions with a last wait of at least the sampling gap. */
  readonly latency: Measured | null;
}

export type BacktestFigure = keyof BacktestFigures;

export interface BacktestResult {
  readonly sessions: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly dependencies: readonly {
    readonly dependency: string;
    readonly outages: number;
    readonly ownFailures: number;
    readonly gapMs: number;
  }[];
  /** Sessions that had not ended when the recording did, in an outage that it does not see the end of. */
  readonly unfinished: { readonly old: number; readonly new: number };
  readonly old: BacktestFigures;
  readonly new: BacktestFigures;
  /** New less old, each with the spread of the difference. */
  readonly change: BacktestFigures;
}

/** Parts of the time that a spread is computed from. */
const PARTS = 20;
/** Sessions that a mean latency needs. */
const MIN_LATENCIES = 20;

/**
 * Puts two policies on the sessions that a recording has of one policy. The dependency is down while all sessions fail;
 * a failure while others succeed is the item's own, and lasts until that session's first success.
 *
 * @param policyId the policy of the recorded sessions; `undefined`: all sessions.
 */
export function backtest(
  attempts: Attempts,
  policies: { readonly old: ResolvedPolicy; readonly new: ResolvedPolicy },
  policyId?: string,
): BacktestResult {
  const worlds = worldsOf(attempts).flatMap((world) => {
    const arrivals = world.arrivals.filter(({ group }) => {
      const recorded = attempts.groups[group];
      return policyId === undefined || recorded?.policy === policyId;
    });
    return arrivals.length === 0 ? [] : [{ ...world, arrivals }];
  });
  const fromMs = Math.min(...worlds.map((world) => world.fromMs));
  const toMs = Math.max(...worlds.map((world) => world.toMs));
  const sums = { old: newSums(), new: newSums() };
  const unfinished = { old: 0, new: 0 };
  const partOf = (atMs: number) => {
    const part = Math.floor(((atMs - fromMs) / Math.max(1, toMs - fromMs)) * PARTS);
    return Math.min(PARTS - 1, Math.max(0, part));
  };
  for (const world of worlds) {
    let isStored = false;
    for (const arrival of world.arrivals) {
      const rung = attempts.groups[arrival.group]?.rung ?? 'job';
      isStored ||= rung !== 'call';
      for (const side of ['old', 'new'] as const) {
        const course = arrival.isSuccess
          ? AT_ONCE
          : tryPolicy(policies[side], rung, world, arrival);
        if (course.result === 'waiting') unfinished[side] += 1;
        const isHit = course.attempts > 1 || outageAt(world.outages, arrival.atMs) !== undefined;
        count(sums[side], partOf(arrival.atMs), course, isHit, world.gapMs);
      }
    }
    if (!isStored) continue;
    for (const side of ['old', 'new'] as const) {
      for (const { atMs, probes } of probesOf(policies[side], world)) {
        add(sums[side].attempts, partOf(atMs), probes);
        add(sums[side].wasted, partOf(atMs), probes);
      }
    }
  }
  return {
    sessions: worlds.reduce((sum, { arrivals }) => sum + arrivals.length, 0),
    fromMs: worlds.length === 0 ? 0 : fromMs,
    toMs: worlds.length === 0 ? 0 : toMs,
    dependencies: worlds.map(dependencyOf),
    unfinished,
    old: figuresOf(sums.old),
    new: figuresOf(sums.new),
    change: changeOf(sums.old, sums.new),
  };
}

/** While a breaker is open, one session at a time tries whether the dependency is back. These are those that fail. */
function probesOf(policy: ResolvedPolicy, { outages, toMs }: World) {
  if (!policy.enableCircuitBreaker) return [];
  return outages.flatMap((outage) => {
    const atMs = openedMs(policy, outage);
    if (atMs === undefined) return [];
    const openMs = Math.min(outage.toMs, toMs) - atMs;
    return [{ atMs, probes: Math.max(0, Math.ceil(openMs / policy.circuitBreakerTimeoutMs) - 1) }];
  });
}

const AT_ONCE: Course = {
  attempts: 1,
  wasted: 0,
  result: 'succeeded',
  tookMs: 0,
  lastWaitMs: 0,
};

function dependencyOf({ dependency, outages, own, gapMs }: World) {
  return { dependency, outages: outages.length, ownFailures: own.size, gapMs };
}

/** Sums per part of the time. */
interface Sums {
  readonly sessions: number[];
  readonly attempts: number[];
  readonly recovered: number[];
  readonly exhausted: number[];
  readonly wasted: number[];
  readonly tookMs: number[];
  readonly latencies: number[];
}

function newSums(): Sums {
  const zeros = () => new Array<number>(PARTS).fill(0);
  return {
    sessions: zeros(),
    attempts: zeros(),
    recovered: zeros(),
    exhausted: zeros(),
    wasted: zeros(),
    tookMs: zeros(),
    latencies: zeros(),
  };
}

function count(sums: Sums, part: number, course: Course, isHit: boolean, gapMs: number): void {
  add(sums.sessions, part, 1);
  add(sums.attempts, part, course.attempts);
  add(sums.wasted, part, course.wasted);
  if (course.result === 'exhausted') add(sums.exhausted, part, 1);
  if (course.result !== 'succeeded') return;
  if (isHit) add(sums.recovered, part, 1);
  if (course.lastWaitMs === 0 || course.lastWaitMs < gapMs) return;
  add(sums.tookMs, part, course.tookMs);
  add(sums.latencies, part, 1);
}

function add(numbers: number[], part: number, value: number): void {
  numbers[part] = (numbers[part] ?? 0) + value;
}

/** Parts whose own sum is left out are -1; all are in it otherwise. */
function total(numbers: readonly number[], without: number): number {
  let sum = 0;
  for (const [part, value] of numbers.entries()) if (part !== without) sum += value;
  return sum;
}

type Ratio = (without: number) => number;

const ratio =
  (above: readonly number[], below: readonly number[]): Ratio =>
  (without) =>
    total(above, without) / Math.max(1, total(below, without));

/** A jackknife: the figure is computed again without each part of the time. */
function measured(figure: Ratio): Measured {
  const without = Array.from({ length: PARTS }, (_, part) => figure(part));
  const mean = without.reduce((sum, value) => sum + value, 0) / PARTS;
  const squares = without.reduce((sum, value) => sum + (value - mean) * (value - mean), 0);
  return { value: figure(-1), spread: 1.96 * Math.sqrt(((PARTS - 1) / PARTS) * squares) };
}

function ratiosOf(sums: Sums) {
  const { sessions } = sums;
  return {
    attempts: ratio(sums.attempts, sessions),
    recovered: ratio(sums.recovered, sessions),
    exhausted: ratio(sums.exhausted, sessions),
    wasted: ratio(sums.wasted, sessions),
    latency: ratio(sums.tookMs, sums.latencies),
  };
}

const hasLatency = ({ latencies }: Sums): boolean => total(latencies, -1) >= MIN_LATENCIES;

function figuresOf(sums: Sums): BacktestFigures {
  const { latency, ...shares } = ratiosOf(sums);
  return {
    attempts: measured(shares.attempts),
    recovered: measured(shares.recovered),
    exhausted: measured(shares.exhausted),
    wasted: measured(shares.wasted),
    latency: hasLatency(sums) ? measured(latency) : null,
  };
}

function changeOf(before: Sums, after: Sums): BacktestFigures {
  const [a, b] = [ratiosOf(before), ratiosOf(after)];
  const change = (name: BacktestFigure) =>
    measured((without) => b[name](without) - a[name](without));
  return {
    attempts: change('attempts'),
    recovered: change('recovered'),
    exhausted: change('exhausted'),
    wasted: change('wasted'),
    latency: hasLatency(before) && hasLatency(after) ? change('latency') : null,
  };
}
