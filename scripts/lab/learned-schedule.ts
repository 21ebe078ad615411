import { decide, definePolicy, type ResolvedPolicy } from '@redrive/core';
import { sessionRandom } from '@redrive/core/stored';
import { Attempts, type Recorded, recommend } from '@redrive/lab';
import { seededRandom } from '@redrive/testkit';
import { type Experiment, mean, percent } from './figure.ts';

/** The policy that the history was recorded with, and that the learned schedule is compared with. */
export const COMPARED = definePolicy({
  id: 'compared',
  backoff: 'exponential',
  baseDelayMs: 1_000,
  multiplier: 2,
  maxDelayMs: 60_000,
  jitter: 'full',
  maxAttempts: 2_000,
});

type Random = () => number;
/** Box and Muller. */
const normal = (random: Random) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const logNormal = (random: Random, median: number, sigma: number) =>
  median * Math.exp(sigma * normal(random));

/** Seconds until a dependency is up again. */
export const WORLDS: Readonly<Record<string, (random: Random) => number>> = {
  mixed: (random) => {
    const pick = random();
    if (pick < 0.7) return logNormal(random, 0.4, 0.8);
    return pick < 0.92 ? Math.max(1, 35 + 8 * normal(random)) : logNormal(random, 1_200, 0.9);
  },
  maintenance: (random) =>
    random() < 0.6 ? logNormal(random, 0.5, 0.7) : Math.max(60, 900 + 60 * normal(random)),
  heavy: (random) => 0.2 * (1 - random()) ** (-1 / 0.8),
  memoryless: (random) => -60 * Math.log(1 - random()),
};

/** Outages are cut at 0.9 times six hours. */
const CUT_MS = 0.9 * 6 * 3_600_000;

/** The times of a session's attempts at a dependency that is down until `endMs`; the last one succeeds. */
function attemptsOf(policy: ResolvedPolicy, endMs: number, session: string): number[] {
  const times = [0];
  let lastDelayMs = 0;
  for (let atMs = 0; atMs < endMs; times.push(atMs)) {
    const decision = decide({
      policy,
      account: { charged: times.length, freeWaits: 0, freeWaitMs: 0, lastDelayMs },
      outcome: { kind: 'failure', errorClass: 'retryable', effect: 'none' },
      rung: 'job',
      horizonMs: Infinity,
      canHandOver: false,
      timeLeftMs: Infinity,
      allowance: Infinity,
      budgetAllows: true,
      breakerOpenMs: 0,
      onUnknown: 'retry',
      random: sessionRandom(session, times.length),
    });
    if (decision.action !== 'retry') throw new Error(`${session} was given up`);
    lastDelayMs = decision.delayMs;
    atMs += lastDelayMs;
  }
  return times;
}

/** A recording of outages that hit one session each. */
export function historyOf(ends: readonly number[]): Attempts {
  const attempts = new Attempts();
  let fromMs = 0;
  for (const [at, endMs] of ends.entries()) {
    const session = `learn-${at}`;
    const times = attemptsOf(COMPARED, endMs, session);
    for (const [number, time] of times.entries()) {
      const isLast = number === times.length - 1;
      const line: Recorded = {
        dependency: 'd',
        handler: 'h',
        policy: COMPARED.id,
        policyHash: 'x',
        rung: 'job',
        session,
        generation: 1,
        attempt: number + 1,
        startMs: fromMs + time,
        endMs: fromMs + time,
        outcome: isLast ? 'succeeded' : 'failed',
        ...(isLast ? {} : { errorClass: 'retryable' }),
        action: isLast ? 'succeed' : 'retry',
        reason: isLast ? 'succeeded' : 'retryable_error',
      };
      attempts.add(line);
    }
    fromMs += (times.at(-1) ?? 0) + 60_000;
  }
  return attempts;
}

/** Mean attempts, and mean delay from the end of an outage to the attempt that notices it. */
function tried(policy: ResolvedPolicy, ends: readonly number[]) {
  const all = ends.map((endMs, at) => attemptsOf(policy, endMs, `test-${at}`));
  return {
    attempts: mean(all.map(({ length }) => length)),
    delayMs: mean(all.map((times, at) => (times.at(-1) ?? 0) - (ends[at] ?? 0))),
  };
}

function worldOf(name: string, seed: number) {
  const random = seededRandom(seed);
  const draw = WORLDS[name] ?? (() => 0);
  const ends = (count: number) =>
    Array.from({ length: count }, () => Math.min(CUT_MS, draw(random) * 1_000));
  const { chosen } = recommend(historyOf(ends(400)), COMPARED);
  const test = ends(2_500);
  const before = tried(COMPARED, test);
  const after = tried(definePolicy({ ...COMPARED, ...chosen?.fields }), test);
  return {
    attempts: after.attempts / before.attempts - 1,
    delay: after.delayMs / before.delayMs - 1,
  };
}

const SEEDS = [1, 2, 3];

/** A schedule that is learned from 400 outages, on 2,500 others of the same world. */
export const LEARNED_SCHEDULE: Experiment = {
  name: 'learned schedule',
  slow: false,
  run: () =>
    Object.keys(WORLDS).map((name) => {
      const all = SEEDS.map((seed) => worldOf(name, seed));
      const delay = mean(all.map((each) => each.delay));
      const attempts = mean(all.map((each) => each.attempts));
      const least = name === 'mixed' || name === 'maintenance' ? -0.4 : 0.05;
      return {
        experiment: 'learned schedule',
        row: `${name}, against 1 s, ×2, cap 60 s, full jitter`,
        expected: `delay ${least < 0 ? 'at least 40 % less' : 'at most 5 % more'}, attempts equal (+3 %)`,
        measured: `delay ${percent(delay)}, attempts ${percent(attempts)}`,
        holds: delay <= least && all.every((each) => each.delay <= 0.05) && attempts <= 0.03,
      };
    }),
};
