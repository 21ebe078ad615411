import { describe, expect, it } from 'vitest';
import { definePolicy } from '../policy/define-policy.ts';
import type { Policy } from '../policy/policy.ts';
import { claimAttempt, openAccount, settleAttempt, viewOf } from './account.ts';
import { DECIDE_VERSION, decide, decideVersions } from './decide.ts';
import type { AttemptOutcome, Charge, DecisionInput, InnerBlock, Rung } from './decision.ts';

const retryable: AttemptOutcome = { kind: 'failure', errorClass: 'retryable', effect: 'none' };
const rateLimited = (retryAfterMs?: number): AttemptOutcome => ({
  kind: 'failure',
  errorClass: 'rate_limited',
  effect: 'none',
  retryAfterMs,
});

const steady = definePolicy({ jitter: 'none', maxAttempts: 5 });
const base: DecisionInput = {
  policy: steady,
  account: { charged: 1, freeWaits: 0, freeWaitMs: 0, lastDelayMs: 0 },
  outcome: retryable,
  rung: 'call',
  horizonMs: 600_000,
  canHandOver: false,
  timeLeftMs: Infinity,
  allowance: Infinity,
  budgetAllows: true,
  breakerOpenMs: 0,
  onUnknown: 'retry',
  random: 0.5,
};
const ask = (input: Partial<DecisionInput>) => decide({ ...base, ...input });

describe('what an attempt costs', () => {
  const stored: Rung[] = ['event', 'job', 'document'];
  const free: Charge = { entry: 'rate_limited', budget: false };
  const failedAndToken: Charge = { entry: 'failed', budget: true };
  const failed: Charge = { entry: 'failed', budget: false };

  it.each<[string, Partial<DecisionInput>, Rung[], Charge]>([
    [
      'a success',
      { outcome: { kind: 'success' } },
      ['call', ...stored],
      { entry: 'succeeded', budget: false },
    ],
    ['a failure that is retried', {}, ['call', ...stored], failedAndToken],
    [
      'a rate limit without a hint',
      { outcome: rateLimited() },
      ['call', ...stored],
      failedAndToken,
    ],
    ['a rate limit with a hint, stored', { outcome: rateLimited(500) }, stored, free],
    ['a rate limit with a hint of 0, stored', { outcome: rateLimited(0) }, stored, free],
    [
      'a rate limit with a hint, in process',
      { outcome: rateLimited(500) },
      ['call'],
      failedAndToken,
    ],
    [
      'a hint of a failure that is none of a rate limit',
      { outcome: { ...retryable, retryAfterMs: 5 } },
      stored,
      failedAndToken,
    ],
    ['a failure with the budget empty', { budgetAllows: false }, ['call', ...stored], failed],
    [
      'a rate limit with the budget empty, stored',
      { outcome: rateLimited(500), budgetAllows: false },
      stored,
      free,
    ],
    [
      'a failure that is handed over',
      { horizonMs: 10, canHandOver: true },
      ['call', ...stored],
      failed,
    ],
    ['the last failure', { account: { ...base.account, charged: 5 } }, ['call', ...stored], failed],
    [
      'an interruption',
      { outcome: { kind: 'interrupted' } },
      stored,
      { entry: 'interrupted', budget: false },
    ],
    [
      'a lost lease',
      { outcome: { kind: 'lease_lost', times: 1, alone: true } },
      stored,
      { entry: 'lease_lost', budget: false },
    ],
    [
      'a lost lease of an item that its process did not hold alone',
      { outcome: { kind: 'lease_lost', times: 9, alone: false } },
      stored,
      { entry: 'process_lost', budget: false },
    ],
    [
      'a probe that finds the dependency away',
      { probe: true, breakerOpenMs: 60_000 },
      stored,
      { entry: 'blocked', budget: false },
    ],
    [
      'a probe that is told how long to wait, though no free wait is left',
      {
        probe: true,
        outcome: rateLimited(5_000),
        account: { ...base.account, freeWaits: 100 },
      },
      stored,
      { entry: 'blocked', budget: false },
    ],
    [
      'a probe, when nothing was charged for a day',
      { probe: true, breakerOpenMs: 60_000, unchargedForMs: 86_400_000 },
      stored,
      { entry: 'failed', budget: true },
    ],
    [
      'an attempt whose inner session was refused by a breaker',
      { outcome: { ...retryable, blockedBy: { cause: 'breaker_open', retryAfterMs: 5_000 } } },
      stored,
      { entry: 'blocked', budget: false },
    ],
    [
      'an attempt that may not start any more',
      { outcome: { kind: 'unstarted' } },
      stored,
      { entry: 'blocked', budget: false },
    ],
    [
      'a refusal',
      { outcome: { kind: 'blocked', cause: 'gate_closed', retryAfterMs: 0 } },
      ['call', ...stored],
      { entry: 'blocked', budget: false },
    ],
    [
      'a cancellation',
      { outcome: { kind: 'failure', errorClass: 'ignored', effect: 'unknown' } },
      ['call', ...stored],
      { entry: 'cancelled', budget: false },
    ],
  ])('%s', (_, input, rungs, charge) => {
    expect(rungs.map((rung) => ask({ ...input, rung }).charge)).toEqual(rungs.map(() => charge));
  });
});

describe('the wait', () => {
  const waitAfter = (charged: number, policy: Policy, random: number, lastDelayMs = 0) =>
    ask({
      policy: definePolicy({ maxAttempts: 100, ...policy }),
      account: { ...base.account, charged, lastDelayMs },
      random,
    }).delayMs;

  it('is the back-off of the attempts charged so far', () => {
    expect([1, 2, 3, 4].map((charged) => waitAfter(charged, { jitter: 'none' }, 0.5))).toEqual([
      1_000, 2_000, 4_000, 8_000,
    ]);
  });

  it('is jittered by the random number', () => {
    expect([0, 0.25, 0.5].map((random) => waitAfter(3, {}, random))).toEqual([3_600, 3_800, 4_000]);
    expect([0, 0.25, 0.5].map((random) => waitAfter(3, { jitter: 'full' }, random))).toEqual([
      0, 1_000, 2_000,
    ]);
  });

  it('grows from the wait before when it is decorrelated', () => {
    expect(waitAfter(3, { jitter: 'decorrelated' }, 0.5, 5_000)).toBe(8_000);
  });
});

describe('a hint', () => {
  const delayMs = (retryAfterMs: number, random: number) =>
    ask({ outcome: { ...retryable, retryAfterMs }, random, horizonMs: Infinity }).delayMs;

  it('is a floor, with up to a tenth on top', () => {
    expect([0, 0.5, 1 - 2 ** -53].map((random) => delayMs(60_000, random))).toEqual([
      60_000, 63_000, 66_000,
    ]);
  });

  it('is rounded up, never down', () => {
    expect(delayMs(5_000.2, 0)).toBe(5_001);
  });

  it('does not shorten the back-off', () => {
    expect(delayMs(10, 0.5)).toBe(1_000);
  });

  it('is passed over when it is no length of time', () => {
    expect([NaN, -1, -Infinity].map((hint) => delayMs(hint, 0.5))).toEqual([1_000, 1_000, 1_000]);
    const { charge } = ask({ outcome: rateLimited(NaN), rung: 'job' });
    expect(charge.entry).toBe('failed');
  });

  it('ends after ten years, so that a clock plus the wait stays a date', () => {
    expect(delayMs(Infinity, 0)).toBe(315_360_000_000);
    expect(ask({ outcome: { ...retryable, retryAfterMs: Infinity } })).toMatchObject({
      action: 'give-up',
      reason: 'beyond_horizon',
    });
  });
});

describe('a server that always answers 429', () => {
  /** Runs attempt after attempt, as a store would, until `decide` has enough. */
  function claimsUntilGivenUp(rung: Rung, policy: Policy, retryAfterMs: number) {
    let account = openAccount();
    for (;;) {
      account = claimAttempt(account);
      const decision = decide({
        ...base,
        policy: definePolicy({ jitter: 'none', ...policy }),
        account: viewOf(account),
        outcome: rateLimited(retryAfterMs),
        rung,
        horizonMs: Infinity,
        random: 0,
      });
      account = settleAttempt(account, decision.charge.entry, decision.delayMs ?? 0);
      if (decision.action !== 'retry') return { reason: decision.reason, ...account.entries };
    }
  }

  it.each<[string, Rung, Policy, number, number]>([
    ['by number, on a stored rung', 'job', {}, 60_000, 100],
    ['by number, when nothing is free', 'job', { maxFreeWaits: 0 }, 60_000, 0],
    ['by time, on a stored rung', 'event', {}, 3_600_000, 24],
    ['by time, when no time is free', 'document', { maxFreeWaitMs: 0 }, 3_600_000, 0],
    ['at once in process, where every call counts', 'call', {}, 60_000, 0],
  ])('is given up: free waits end %s', (_, rung, policy, hintMs, freeWaits) => {
    expect(claimsUntilGivenUp(rung, policy, hintMs)).toMatchObject({
      reason: 'max_attempts_exceeded',
      rate_limited: freeWaits,
      failed: 3,
    });
  });
});

describe('when it would have been worth another try', () => {
  it.each<[string, Partial<DecisionInput>, number | undefined]>([
    [
      'after the last attempt: the wait that would have followed',
      { account: { ...base.account, charged: 5 } },
      16_000,
    ],
    ['past the deadline: the wait that was too long', { timeLeftMs: 1_000 }, 1_000],
    ['beyond the horizon: the hint', { outcome: rateLimited(1_200_000), random: 0 }, 1_200_000],
    ['with the breaker open: when it lets a probe through', { breakerOpenMs: 45_000 }, 45_000],
    ['with the budget empty: the wait', { budgetAllows: false }, 1_000],
    ['after a final error: never', { outcome: { ...retryable, errorClass: 'final' } }, undefined],
    [
      'after a cancellation: never',
      { outcome: { ...retryable, errorClass: 'ignored' } },
      undefined,
    ],
    ['when the policy is off: never', { policy: { ...steady, enabled: false } }, undefined],
  ])('%s', (_, input, delayMs) => {
    const decision = ask(input);
    expect(decision.action).toBe('give-up');
    expect(decision.delayMs).toBe(delayMs);
    expect('delayMs' in decision).toBe(delayMs !== undefined);
  });
});

describe('a lost lease', () => {
  /** Loses lease after lease, as a job does that kills its worker. */
  function waitsUntilGivenUp(policy: Policy) {
    let account = openAccount();
    const waitsMs: (number | undefined)[] = [];
    for (;;) {
      account = claimAttempt(account);
      const { action, reason, delayMs, charge } = ask({
        policy: definePolicy({ jitter: 'none', ...policy }),
        account: viewOf(account),
        outcome: { kind: 'lease_lost', times: account.entries.lease_lost + 1, alone: true },
        rung: 'job',
      });
      account = settleAttempt(account, charge.entry, delayMs ?? 0);
      waitsMs.push(delayMs);
      if (action !== 'retry') return { waitsMs, reason, lost: account.entries.lease_lost };
    }
  }

  it('is made good at once the first time, backs off from then on, and counts each time', () => {
    expect(waitsUntilGivenUp({ maxAttempts: 4 })).toEqual({
      waitsMs: [0, 2_000, 4_000, 8_000],
      reason: 'max_attempts_exceeded',
      lost: 4,
    });
  });

  it('ends a job of one attempt', () => {
    expect(waitsUntilGivenUp({ maxAttempts: 1 })).toMatchObject({ lost: 1, waitsMs: [0] });
  });
});

describe('what waits for somebody else', () => {
  const refused = (cause: InnerBlock['cause'], retryAfterMs: number, input = {}) =>
    ask({ rung: 'job', outcome: { ...retryable, blockedBy: { cause, retryAfterMs } }, ...input });

  it('parks when a breaker or a budget refused an inner session, no shorter than the back-off', () => {
    expect(refused('breaker_open', 30_000)).toMatchObject({ action: 'park', delayMs: 30_000 });
    expect(refused('budget_exhausted', 0)).toMatchObject({ action: 'park', delayMs: 1_000 });
  });

  it('is given back when a kill switch stopped an inner session', () => {
    const decision = refused('kill_switch', 0);
    expect(decision).toMatchObject({ action: 'retry', reason: 'kill_switch', delayMs: 1_000 });
    expect(refused('kill_switch', 0, { timeLeftMs: 1_000 }).reason).toBe('ttl_exceeded');
  });

  it('costs nothing until the free wait and the back-off have both passed', () => {
    const charged = (unchargedForMs: number, maxFreeWaitMs: number) =>
      refused('breaker_open', 0, { policy: { ...steady, maxFreeWaitMs }, unchargedForMs }).charge
        .entry;
    expect([charged(59_999, 60_000), charged(60_000, 60_000)]).toEqual(['blocked', 'failed']);
    expect([charged(999, 0), charged(1_000, 0)]).toEqual(['blocked', 'failed']);
  });

  it('is not charged earlier by a lucky draw of the back-off', () => {
    const policy = { ...steady, jitter: 'full', maxFreeWaitMs: 0 } as const;
    const charged = (unchargedForMs: number) =>
      refused('breaker_open', 0, { policy, unchargedForMs, random: 0 }).charge.entry;
    expect([charged(999), charged(1_000)]).toEqual(['blocked', 'failed']);
  });

  it('is dead after its attempts all the same', () => {
    const last = { account: { ...base.account, charged: 5 }, unchargedForMs: 86_400_000 };
    expect(refused('breaker_open', 0, last).reason).toBe('max_attempts_exceeded');
  });

  it('is not the one attempt of a policy that is switched off', () => {
    const policy = { ...steady, enabled: false };
    expect(refused('breaker_open', 0, { policy }).action).toBe('park');
  });
});

describe('an item that its process did not hold alone', () => {
  const lose = (times: number, random: number) =>
    ask({
      rung: 'job',
      random,
      account: { ...base.account, charged: 5 },
      outcome: { kind: 'lease_lost', times, alone: false },
    });

  it('goes on at once the first time, and at a random time within a second from then on', () => {
    expect(lose(1, 0.5)).toMatchObject({ action: 'retry', delayMs: 0 });
    for (const times of [2, 3, 9]) {
      const delays = [0, 0.5, 1 - 2 ** -53].map((random) => lose(times, random).delayMs);
      expect(delays).toEqual([0, 500, 1_000]);
    }
  });

  it('uses up no attempts', () => {
    expect(lose(9, 0).action).toBe('retry');
  });

  it('keeps the one attempt of a disabled policy', () => {
    const policy = { ...base.policy, enabled: false };
    const lost = (alone: boolean) =>
      ask({ policy, rung: 'job', outcome: { kind: 'lease_lost', times: 1, alone } });
    expect(lost(false)).toMatchObject({ action: 'retry', reason: 'lease_lost' });
    expect(lost(true)).toMatchObject({ action: 'give-up', reason: 'policy_disabled' });
  });
});

describe('the deadline', () => {
  it.each([
    [1_001, 'retry', 'retryable_error'],
    [1_000, 'give-up', 'ttl_exceeded'],
    [0, 'give-up', 'ttl_exceeded'],
    [-1, 'give-up', 'ttl_exceeded'],
  ])('with %d ms left and a wait of 1,000: %s', (timeLeftMs, action, reason) => {
    expect(ask({ timeLeftMs })).toMatchObject({ action, reason });
  });
});

describe('the allowance', () => {
  it.each([
    [Infinity, 'retry'],
    [1, 'retry'],
    [0, 'give-up'],
    [-1, 'give-up'],
  ])('of %d: %s', (allowance, action) => {
    expect(ask({ allowance }).action).toBe(action);
  });
});

it('every version of decide that a record may name can be run', () => {
  const versions = Array.from({ length: DECIDE_VERSION }, (_, before) => String(before + 1));
  expect(Object.keys(decideVersions)).toEqual(versions);
  expect(decideVersions[DECIDE_VERSION]).toBe(decide);
});
