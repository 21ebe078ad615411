import { definePolicy, type ResolvedPolicy } from '@redrive/core';
import { describe, expect, test } from 'vitest';
import { Attempts } from '../recording/attempts.ts';
import type { Recorded } from '../recording/recorded.ts';
import { backtest } from './backtest.ts';
import { worldsOf } from './world.ts';

type Session = readonly [ends: readonly number[], succeeds: boolean, failure?: Partial<Recorded>];

const ATTEMPT: Recorded = {
  dependency: 'd',
  handler: 'h',
  policy: 'a',
  policyHash: 'x',
  rung: 'job',
  session: 's',
  generation: 1,
  attempt: 1,
  endMs: 0,
  outcome: 'succeeded',
  action: 'succeed',
  reason: 'succeeded',
};

/** Sessions of one dependency: the times at which their attempts end, and whether the last one succeeds. */
function recorded(sessions: readonly Session[]): Attempts {
  const lines = sessions.flatMap(([ends, succeeds, failure], session) =>
    ends.map((endMs, at): Recorded => {
      const one = { ...ATTEMPT, session: String(session), attempt: at + 1, endMs };
      return succeeds && at === ends.length - 1
        ? one
        : { ...one, outcome: 'failed', errorClass: 'retryable', ...failure };
    }),
  );
  const attempts = new Attempts();
  for (const one of lines.sort((a, b) => a.endMs - b.endMs)) attempts.add(one);
  return attempts;
}

/** A success each second, so that the dependency is seen to be up. */
const others = (seconds: number): Session[] =>
  Array.from({ length: seconds }, (_, at) => [[at * 1_000 + 500], true]);

const fixed = (baseDelayMs: number, maxAttempts: number): ResolvedPolicy =>
  definePolicy({ backoff: 'fixed', baseDelayMs, maxAttempts, jitter: 'none' });

/** Numbers of sessions, and of retries. */
function countsOf(attempts: Attempts, policy: ResolvedPolicy) {
  const { new: figures, sessions } = backtest(attempts, { old: policy, new: policy });
  return {
    exhausted: Math.round(figures.exhausted.value * sessions),
    recovered: Math.round(figures.recovered.value * sessions),
    retries: Math.round(figures.attempts.value * sessions) - sessions,
  };
}

describe('a failure while others succeed is the item’s own', () => {
  test('and lasts until its first success: a document that is not readable yet', () => {
    // It fails until second 40 at least, and succeeds at second 60.
    const attempts = recorded([...others(120), [[10_000, 20_000, 40_000, 60_000], true]]);
    expect(countsOf(attempts, fixed(10_000, 3))).toEqual({
      exhausted: 1,
      recovered: 0,
      retries: 2,
    });
    expect(countsOf(attempts, fixed(25_000, 3))).toEqual({
      exhausted: 0,
      recovered: 1,
      retries: 2,
    });
  });

  test('and never ends if it never succeeded', () => {
    const attempts = recorded([...others(120), [[10_000, 20_000], false]]);
    expect(countsOf(attempts, fixed(10_000, 8))).toEqual({
      exhausted: 1,
      recovered: 0,
      retries: 7,
    });
  });

  test('and a final error stays final, whatever the policy is', () => {
    const attempts = recorded([...others(60), [[10_000], false, { errorClass: 'final' }]]);
    expect(countsOf(attempts, fixed(1_000, 8))).toEqual({ exhausted: 0, recovered: 0, retries: 0 });
  });

  test('and a hint that still runs is a floor', () => {
    const limited = { errorClass: 'rate_limited', hintMs: 30_000 } as const;
    const attempts = recorded([...others(120), [[10_000, 42_000], true, limited]]);
    expect(countsOf(attempts, fixed(1_000, 8)).retries).toBe(1);
  });
});

test('while all sessions fail the dependency is down; a better policy is reported as better, a worse one as worse', () => {
  const down: Session[] = Array.from({ length: 20 }, (_, at) => [
    [100_000 + at * 1_000, 101_000 + at * 1_000, 103_000 + at * 1_000],
    false,
  ]);
  const attempts = recorded([...others(100), ...down, [[140_000], true]]);
  expect(worldsOf(attempts)).toMatchObject([{ outages: [{ fromMs: 99_750, toMs: 131_000 }] }]);
  const [short, long] = [fixed(1_000, 3), fixed(60_000, 3)];
  expect(countsOf(attempts, short)).toMatchObject({ exhausted: 20 });
  expect(countsOf(attempts, long)).toMatchObject({ exhausted: 0, recovered: 20 });
  const better = backtest(attempts, { old: short, new: long }, 'a').change.exhausted;
  expect(better.value).toBeCloseTo(-20 / 121, 6);
  expect(better.spread).toBeGreaterThan(0);
  const worse = backtest(attempts, { old: long, new: short }, 'a').change.exhausted;
  expect(worse.value).toBeCloseTo(20 / 121, 6);
});

test('a stored item waits for the breaker’s probe after the recovery', () => {
  const down: Session[] = Array.from({ length: 3 }, (_, at) => [[100_000 + at * 1_000], false]);
  const attempts = recorded([...others(100), ...down, [[140_000], true]]);
  const policy = definePolicy({
    ...fixed(1_000, 3),
    enableCircuitBreaker: true,
    circuitBreakerTimeoutMs: 15_000,
  });
  // The outage lasts from 99.75 to 121 s; probes follow every 15 s.
  expect(countsOf(attempts, policy)).toEqual({ exhausted: 0, recovered: 3, retries: 3 });
});

test('sessions that an open breaker kept back arrive while the dependency is down, not after it', () => {
  const failing: Session[] = Array.from({ length: 6 }, (_, at) => [
    [100_000 + at * 100, 132_000],
    true,
  ]);
  const parked = { outcome: 'not_run', action: 'park', reason: 'breaker_open' } as const;
  const kept: Session[] = Array.from({ length: 20 }, (_, at) => [
    [101_000 + at * 1_000, 132_000],
    true,
    parked,
  ]);
  const probe: Session = [[128_000, 140_000], true, { probe: true }];
  const attempts = recorded([...others(100), ...failing, ...kept, probe]);
  const breaker = { enableCircuitBreaker: true, circuitBreakerThreshold: 5 };
  const before = definePolicy({ ...fixed(1_000, 3), ...breaker, circuitBreakerTimeoutMs: 7_000 });
  const sooner = definePolicy({ ...before, circuitBreakerTimeoutMs: 1_000 });
  // The outage lasts from 99.75 to 130 s. The breaker opens at 100.4 s, after five failures; then four probes fail.
  expect(countsOf(attempts, before)).toEqual({ exhausted: 0, recovered: 27, retries: 9 });
  expect(countsOf(attempts, fixed(1_000, 3))).toMatchObject({ exhausted: 26, recovered: 1 });
  const { change } = backtest(attempts, { old: before, new: sooner }, 'a');
  expect(change.exhausted.value).toBe(0);
  expect(change.latency?.value).toBeCloseTo(-5_000, 6);
});

test('a requeued session arrives again; a session that began before the recording does not', () => {
  const attempts = recorded([
    [[1_000], true],
    [[2_000], true],
  ]);
  attempts.add({ ...ATTEMPT, session: '0', generation: 2, attempt: 4, endMs: 5_000 });
  attempts.add({ ...ATTEMPT, session: 'older', attempt: 3, endMs: 6_000 });
  expect(worldsOf(attempts)[0]?.arrivals).toHaveLength(3);
});

describe('a job’s claim that was blocked counts as an attempt, and did not run', () => {
  const numbered = (outcomes: readonly Recorded['outcome'][]) => {
    const attempts = new Attempts();
    for (const [at, outcome] of outcomes.entries()) {
      for (let session = 0; session < 100; session += 1) {
        const endMs = at * 1_000 + session;
        attempts.add({ ...ATTEMPT, session: String(session), attempt: at + 1, endMs, outcome });
      }
    }
    return attempts;
  };

  test.each([
    [['not_run', 'failed', 'succeeded'], 1_000],
    [['not_run', 'not_run', 'failed', 'succeeded'], 2_000],
    [['failed', 'not_run', 'succeeded'], 0],
  ] as const)('%j: the session arrives once, at its first attempt that ran', (outcomes, atMs) => {
    const policy = fixed(1_000, 3);
    const attempts = numbered(outcomes);
    expect(backtest(attempts, { old: policy, new: policy }, 'a').sessions).toBe(100);
    expect(worldsOf(attempts)[0]?.arrivals[0]).toEqual({
      session: 0,
      group: 0,
      atMs,
      isSuccess: false,
    });
  });
});

test('the sampling gap is between probes of one outage, not between outages', () => {
  const attempts = new Attempts();
  let session = 0;
  for (const startMs of [0, 5_000_000, 10_000_000]) {
    for (let endMs = startMs; endMs < startMs + 4_850_000; endMs += 10_000) {
      session += 1;
      attempts.add({ ...ATTEMPT, session: String(session), endMs });
    }
    for (let probe = 0; probe < 4; probe += 1) {
      session += 1;
      attempts.add({
        ...ATTEMPT,
        session: String(session),
        endMs: startMs + 4_870_000 + probe * 30_000,
        outcome: 'failed',
        errorClass: 'retryable',
        probe: true,
      });
    }
  }
  expect(worldsOf(attempts)[0]?.gapMs).toBe(30_000);
});

test('how an outage goes on after the recording is not known: its sessions are neither recovered nor exhausted', () => {
  const failing: Session[] = Array.from({ length: 6 }, (_, at) => [
    [100_000 + at * 1_000, 110_000 + at * 1_000],
    false,
  ]);
  const attempts = recorded([...others(99), ...failing]);
  const [old, after] = [fixed(2_000, 3), fixed(2_000, 30)];
  const result = backtest(attempts, { old, new: after }, 'a');
  // The last attempt fails at 115 s. Three attempts, 2 s apart, are over before; thirty are not.
  expect(result.unfinished).toEqual({ old: 0, new: 6 });
  expect(result.old.exhausted.value * result.sessions).toBeCloseTo(6);
  expect(result.new.exhausted.value).toBe(0);
  expect(result.new.recovered.value).toBe(0);
});
