import { definePolicy, type Policy } from '@redrive/core';
import { describe, expect, test } from 'vitest';
import { Draws } from '../chance/draws.ts';
import { samplerOf } from '../chance/spread.ts';
import { Attempts } from '../recording/attempts.ts';
import type { Recorded } from '../recording/recorded.ts';
import { attemptTimeoutOf } from './attempt-timeout.ts';
import { hazardOf } from './hazard.ts';
import { recommend } from './recommend.ts';
import { recoveriesOf } from './recoveries.ts';
import { scheduleOf } from './schedule.ts';

const BASE: Policy = { id: 'p', maxAttempts: 100, baseDelayMs: 1_000, maxDelayMs: 60_000 };
const PRESENT = definePolicy({ ...BASE, jitter: 'none' });
const LINE: Recorded = {
  dependency: 'd',
  handler: 'h',
  policy: 'p',
  policyHash: 'x',
  rung: 'job',
  session: '',
  generation: 1,
  attempt: 1,
  endMs: 0,
  outcome: 'succeeded',
  action: 'succeed',
  reason: 'succeeded',
};
const FAILED: Partial<Recorded> = {
  outcome: 'failed',
  errorClass: 'retryable',
  action: 'retry',
  reason: 'retryable_error',
};
const DAY_MS = 86_400_000;

/** An outage a day, each with its length; its sessions come a second after each other and double their waits up to a minute. */
function recordingOf(lengths: readonly number[], sessions = 2, failed = FAILED): Attempts {
  const lines = lengths.flatMap((lengthMs, day) =>
    Array.from({ length: sessions }, (_, number) => {
      const own: Recorded[] = [];
      const session = `${day}/${number}`;
      let atMs = number * 1_000;
      for (let waitMs = 1_000; ; waitMs = Math.min(60_000, waitMs * 2)) {
        const isDown = atMs < lengthMs;
        const attempt = own.length + 1;
        own.push({ ...LINE, session, attempt, ...(isDown && failed), endMs: day * DAY_MS + atMs });
        if (!isDown) return own;
        atMs += waitMs;
      }
    }).flat(),
  );
  const attempts = new Attempts();
  for (const line of lines.sort((a, b) => a.endMs - b.endMs)) attempts.add(line);
  return attempts;
}

/** Lengths of outages around 15 minutes. */
function maintenance(count: number, seed = 1): number[] {
  const draws = new Draws(seed, 1);
  const sampler = samplerOf({
    kind: 'normal',
    meanMs: 900_000,
    deviationMs: 60_000,
    minMs: 60_000,
  });
  return Array.from({ length: count }, () => sampler(draws.next()));
}

describe('recoveries', () => {
  test('an outage is one, however many sessions it hit', () => {
    const all = recoveriesOf(recordingOf(maintenance(3), 40), 'p');
    expect(all).toHaveLength(3);
    const [first] = all;
    expect(first?.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9);
    expect(first?.[0]?.outage?.sessions).toBe(40);
    for (const { lastMs, endMs, succeededMs } of first ?? []) {
      expect(lastMs).toBeLessThanOrEqual(endMs);
      expect(endMs).toBeLessThanOrEqual(succeededMs);
    }
  });

  test('an own failure is one; a hint, a final error and another policy are none', () => {
    const count = (failed: Partial<Recorded>, id = 'p') =>
      recoveriesOf(recordingOf([5_000, 9_000], 1, { ...FAILED, ...failed }), id).length;
    expect(count({})).toBe(2);
    expect(count({ errorClass: 'rate_limited', hintMs: 500 })).toBe(0);
    expect(count({ errorClass: 'final' })).toBe(0);
    expect(count({}, 'other')).toBe(0);
  });
});

describe('hazard and schedule', () => {
  const never = { atMs: 0, rung: 'job', weight: 1, endMs: 0 };

  test('the hazard of ends without memory is constant, and the gap is the square root of 2c / (l h)', () => {
    const draws = new Draws(1, 1);
    const sampler = samplerOf({ kind: 'exponential', meanMs: 60_000 });
    const ends = Array.from({ length: 20_000 }, () => sampler(draws.next()));
    const hazard = hazardOf(
      ends.map((ms) => ({ ...never, lastMs: ms * 0.99, succeededMs: ms * 1.01 })),
    );
    for (const bin of hazard.filter(({ fromMs }) => fromMs > 1_000 && fromMs < 120_000)) {
      expect(bin.perMs * 60_000, `from ${bin.fromMs}`).toBeGreaterThan(0.85);
      expect(bin.perMs * 60_000, `from ${bin.fromMs}`).toBeLessThan(1.15);
    }
    const limits = { capMs: 1_800_000, seenMs: 600_000, tailMs: 0 };
    const delays = scheduleOf(hazard, 500, limits);
    const expected = Math.sqrt(2 * 500 * 60_000);
    for (const delay of delays.slice(2, 12))
      expect(Math.abs(delay / expected - 1)).toBeLessThan(0.1);
    expect(delays).toHaveLength(32);
    expect(scheduleOf(hazard, 1e-9, limits).every((delay) => delay >= 50)).toBe(true);
    const capped = scheduleOf(hazard, 1e15, { ...limits, capMs: 7_000 });
    expect(capped.every((delay) => delay <= 7_000)).toBe(true);
  });

  test('a failure without an end is exposure, and no recovery', () => {
    const ended = { ...never, lastMs: 900, succeededMs: 1_100 };
    const given = { ...never, lastMs: 60_000, succeededMs: Number.POSITIVE_INFINITY };
    const at = (recoveries: Parameters<typeof hazardOf>[0], ms: number) =>
      hazardOf(recoveries).find(({ toMs }) => toMs > ms)?.perMs ?? 0;
    const [half, all] = [at([ended, given], 1_000), at([ended, ended], 1_000)];
    expect(half).toBeLessThan(all * 0.7);
    expect(at(Array(20).fill(given), 10_000)).toBeLessThan(at(Array(20).fill(ended), 10_000) / 10);
  });
});

describe('recommend', () => {
  test('it declines on 30 outages, and on one of 10,000 sessions', () => {
    const few = recommend(recordingOf(maintenance(30)), PRESENT);
    expect(few).toMatchObject({ recoveries: 30, chosen: undefined });
    const one = recommend(recordingOf([900_000], 10_000), PRESENT);
    expect(one).toMatchObject({ recoveries: 1, chosen: undefined });
  });

  test('a schedule is learned from maintenance: fewer delays, no more attempts, no shorter patience', () => {
    const { chosen, candidates } = recommend(recordingOf(maintenance(60)), PRESENT);
    expect(chosen?.kind).toBe('learned');
    const [present] = candidates;
    if (chosen === undefined || present === undefined) throw new Error('nothing is recommended');
    expect(chosen.learned.attempts).toBeLessThanOrEqual(present.learned.attempts);
    expect(chosen.heldOut.delayMs).toBeLessThan(present.heldOut.delayMs * 0.6);
    expect(chosen.heldOut.exhausted).toBe(0);
    const { delaysMs = [], ...fields } = chosen.fields;
    expect(fields).toMatchObject({ jitter: 'proportional', jitterAmount: 0.1 });
    expect(delaysMs.length).toBeLessThanOrEqual(32);
    const last = delaysMs.at(-1) ?? 0;
    const { maxAttempts = 0 } = fields;
    const reachMs = delaysMs.reduce((a, b) => a + b) + last * (maxAttempts - 1 - delaysMs.length);
    // The present policy waits 1, 2, 4, … 32 s and then 93 times a minute.
    expect(reachMs).toBeGreaterThanOrEqual(63_000 + 93 * 60_000);
  });

  test('a schedule that is worse on the newest fifth gives way', () => {
    const draws = new Draws(7, 1);
    const short = Array.from({ length: 20 }, () => 200_000 + 5_000 * draws.next());
    const { chosen, candidates } = recommend(recordingOf([...maintenance(80), ...short]), PRESENT);
    expect(candidates.map(({ kind }) => kind)).toEqual(['present', 'grid', 'learned']);
    const costs = candidates.map(({ heldOut }) => heldOut.cost);
    expect(costs[2]).toBeGreaterThan(Math.min(...costs));
    expect(chosen?.kind).not.toBe('learned');
    expect(chosen?.heldOut.cost).toBe(Math.min(...costs));
  });

  test('dearer attempts make longer gaps', () => {
    const attempts = recordingOf(maintenance(60));
    const tried = (perAttempt: number) =>
      recommend(attempts, PRESENT, { costs: { perAttempt, perSecond: 1 } }).candidates.at(-1);
    const [cheap, dear] = [tried(0.1), tried(100)];
    expect(cheap?.kind).toBe('learned');
    expect(dear?.learned.attempts).toBeLessThan((cheap?.learned.attempts ?? 0) / 3);
    expect(dear?.learned.delayMs).toBeGreaterThan((cheap?.learned.delayMs ?? 0) * 3);
  });

  test('a breaker gets another timeout if costs are given, and stays without them', () => {
    const policy = definePolicy({
      ...BASE,
      enableCircuitBreaker: true,
      circuitBreakerTimeoutMs: 600_000,
    });
    const attempts = recordingOf(maintenance(60));
    expect(recommend(attempts, policy)).toMatchObject({ chosen: { kind: 'present', fields: {} } });
    const costs = { perAttempt: 1, perSecond: 0.1 };
    const { chosen } = recommend(attempts, policy, { costs });
    expect(chosen).toMatchObject({ kind: 'grid' });
    expect(Object.keys(chosen?.fields ?? {})).toEqual(['circuitBreakerTimeoutMs']);
    expect(chosen?.fields.circuitBreakerTimeoutMs).toBeLessThan(600_000);
    const many = recommend(recordingOf(maintenance(60), 40), policy, { costs });
    const [few, all] = [chosen, many.chosen].map((each) => each?.fields.circuitBreakerTimeoutMs);
    expect(all, 'one probe is for all sessions').toBeLessThan(few ?? 0);
  });
});

describe('attempt timeout', () => {
  function timed(successes: number, timedOut: number): Attempts {
    const attempts = new Attempts();
    for (let at = 0; at < successes; at += 1)
      attempts.add({ ...LINE, session: `${at}`, startMs: at, endMs: at + (at % 1_000) + 1 });
    for (let at = 0; at < timedOut; at += 1)
      attempts.add({ ...LINE, ...FAILED, session: `t${at}`, startMs: at, endMs: at + 5_000 });
    return attempts;
  }
  const policy = definePolicy({ ...BASE, attemptTimeoutMs: 5_000 });

  test('a share of the successes takes longer', () => {
    expect(attemptTimeoutOf(timed(10_000, 10), policy, 0.001)).toMatchObject({ timeoutMs: 999 });
    expect(attemptTimeoutOf(timed(1_000, 0), policy, 0.01)).toMatchObject({ timeoutMs: 990 });
  });

  test('it declines on too few successes, and where a larger share timed out', () => {
    expect(attemptTimeoutOf(timed(9_999, 0), policy, 0.001)).toEqual({
      timeoutMs: undefined,
      reason: '9999 successes have a known start, and it needs 10000',
      successes: 9_999,
      timedOut: 0,
    });
    expect(attemptTimeoutOf(timed(10_000, 11), policy, 0.001)).toMatchObject({
      timeoutMs: undefined,
      reason: '11 of 10011 attempts timed out already',
    });
  });
});
