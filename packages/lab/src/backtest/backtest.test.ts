import { definePolicy, nominalDelayMs, type Policy, type ResolvedPolicy } from '@redrive/core';
import { describe, expect, test } from 'vitest';
import { Draws } from '../chance/draws.ts';
import { samplerOf } from '../chance/spread.ts';
import { Attempts } from '../recording/attempts.ts';
import type { Recorded } from '../recording/recorded.ts';
import { backtest } from './backtest.ts';
import { type Course, tryPolicy } from './try-policy.ts';
import { type Arrival, type Outage, outageAt, worldsOf } from './world.ts';

const DAY_MS = 86_400_000;
const equal = (policy: Policy): ResolvedPolicy => definePolicy({ jitter: 'equal', ...policy });
const RECORDED = equal({ maxAttempts: 9, baseDelayMs: 1_000, maxDelayMs: 60_000 });
const PREDICTED = {
  '0.2 s x2 cap 10 s, 5': equal({ maxAttempts: 6, baseDelayMs: 200, maxDelayMs: 10_000 }),
  '5 s x3 cap 900 s, 6': equal({
    maxAttempts: 7,
    baseDelayMs: 5_000,
    multiplier: 3,
    maxDelayMs: 900_000,
  }),
  '1 s x2 cap 300 s, 12': equal({ maxAttempts: 13, baseDelayMs: 1_000, maxDelayMs: 300_000 }),
  '0.05 s x2 cap 1 s, 3': equal({ maxAttempts: 4, baseDelayMs: 50, maxDelayMs: 1_000 }),
};

/** A day with outages of three kinds, and a share of attempts that fail without one. */
function dayOf(seed: number, perSecond: number) {
  const draws = new Draws(seed, 1);
  const between = samplerOf({ kind: 'exponential', meanMs: 1_500_000 });
  const lengths = [
    samplerOf({ kind: 'lognormal', medianMs: 1_000, sigma: 0.8 }),
    samplerOf({ kind: 'normal', meanMs: 35_000, deviationMs: 8_000, minMs: 3_000 }),
    samplerOf({ kind: 'lognormal', medianMs: 403_000, sigma: 0.7 }),
  ];
  const outages: Outage[] = [];
  for (let atMs = between(draws.next()); atMs < DAY_MS; atMs += between(draws.next())) {
    const toMs = atMs + (lengths[Math.floor(draws.next() * 3)]?.(draws.next()) ?? 0);
    outages.push(outage(atMs, toMs));
    atMs = toMs;
  }
  const arrivals: number[] = [];
  const gap = samplerOf({ kind: 'exponential', meanMs: 1_000 / perSecond });
  for (let atMs = gap(draws.next()); atMs < DAY_MS; atMs += gap(draws.next())) arrivals.push(atMs);
  return { outages, arrivals };
}

interface Way {
  readonly atMs: number;
  readonly failed: readonly number[];
  readonly course: Course;
}

/** The course of every session of a day under a policy, with errors of single attempts and jitter of its own: the truth. */
function truth(day: ReturnType<typeof dayOf>, policy: ResolvedPolicy, seed: number): Way[] {
  const errors = new Draws(seed, 2);
  return day.arrivals.map((atMs, at) => {
    const arrival = { session: seed * 1_000_000 + at, group: 0, atMs, isSuccess: false };
    return wayOf(policy, day.outages, arrival, () => errors.next() < 0.003);
  });
}

function wayOf(
  policy: ResolvedPolicy,
  outages: readonly Outage[],
  arrival: Arrival,
  fails: () => boolean,
): Way {
  const failed: number[] = [];
  let lastWaitMs = 0;
  for (let atMs = arrival.atMs; ; ) {
    const attempts = failed.length + 1;
    const tookMs = atMs - arrival.atMs;
    const course = { attempts, tookMs, lastWaitMs };
    if (outageAt(outages, atMs) === undefined && !fails()) {
      const wasted = Math.max(0, attempts - 2);
      return { atMs: arrival.atMs, failed, course: { ...course, wasted, result: 'succeeded' } };
    }
    failed.push(atMs);
    // The next wait is that of a session that fails for ever, and may make one attempt more.
    const one = { ...policy, maxAttempts: Math.min(policy.maxAttempts, attempts + 1) };
    const next = tryPolicy(one, 'call', { outages: [FOR_EVER], own: new Map() }, arrival);
    if (next.attempts === attempts) {
      const wasted = attempts - 1;
      return { atMs: arrival.atMs, failed, course: { ...course, wasted, result: 'exhausted' } };
    }
    lastWaitMs = next.lastWaitMs;
    atMs = arrival.atMs + next.tookMs;
  }
}

const FOR_EVER: Outage = outage(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);

function outage(fromMs: number, toMs: number): Outage {
  const failure = { errorClass: 'retryable', errorType: undefined, hintUntilMs: 0 } as const;
  const seen = { lastFailedMs: toMs, succeededMs: toMs, failedMs: [], blockedMs: toMs };
  return { ...failure, fromMs, toMs, ...seen };
}

function recordingOf(ways: readonly Way[]): Attempts {
  const lines: Recorded[] = [];
  for (const [session, { atMs, failed, course }] of ways.entries()) {
    const line = (attempt: number, endMs: number, outcome: Recorded['outcome']): Recorded => ({
      dependency: 'd',
      handler: 'h',
      policy: 'a',
      policyHash: 'x',
      rung: 'call',
      session: String(session),
      generation: 1,
      attempt,
      startMs: endMs,
      endMs,
      outcome,
      action: 'retry',
      reason: 'retryable_error',
      ...(outcome === 'failed' ? { errorClass: 'retryable' } : {}),
    });
    for (const [at, endMs] of failed.entries()) lines.push(line(at + 1, endMs, 'failed'));
    if (course.result === 'succeeded')
      lines.push(line(course.attempts, atMs + course.tookMs, 'succeeded'));
  }
  const attempts = new Attempts();
  for (const one of lines.sort((a, b) => a.endMs - b.endMs)) attempts.add(one);
  return attempts;
}

/** The same figures of the truth. */
function figures(ways: readonly Way[], gapMs: number) {
  const courses = ways.map(({ course }) => course);
  const above = courses.filter(
    ({ attempts, result, lastWaitMs }) =>
      attempts > 1 && result === 'succeeded' && lastWaitMs >= gapMs,
  );
  return {
    attempts: courses.reduce((sum, { attempts }) => sum + attempts, 0) / courses.length,
    exhausted: courses.filter(({ result }) => result === 'exhausted').length / courses.length,
    latency: above.reduce((sum, { tookMs }) => sum + tookMs, 0) / Math.max(1, above.length),
    latencies: above.length,
  };
}

/** The first of the seeds with 49 outages. */
const SEED = 15;

describe.each([0.5, 0.05])('back-test, %s sessions/s, one day, 49 outages', (perSecond) => {
  const day = dayOf(SEED, perSecond);
  const recording = recordingOf(truth(day, RECORDED, 11));
  const gapMs = worldsOf(recording)[0]?.gapMs ?? 0;

  test.each(Object.entries(PREDICTED))('%s', (_, policy) => {
    const { new: predicted } = backtest(recording, { old: RECORDED, new: policy }, 'a');
    const real = figures(truth(day, policy, 23), gapMs);
    expect(Math.abs(predicted.attempts.value / real.attempts - 1), 'attempts').toBeLessThan(0.01);
    if (perSecond === 0.5)
      expect(Math.abs(predicted.exhausted.value - real.exhausted), 'failures').toBeLessThan(0.001);
    if (predicted.latency !== null) {
      expect(Math.abs(predicted.latency.value / real.latency - 1), 'latency').toBeLessThan(0.05);
    }
    const isBelow = nominalDelayMs(policy, policy.maxAttempts - 1) < gapMs;
    expect(predicted.latency === null, 'no figure below the gap').toBe(isBelow);
  });

  test('the day has 49 outages', () => {
    expect(day.outages).toHaveLength(49);
  });
});
