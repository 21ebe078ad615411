import { describe, expect, it } from 'vitest';
import { definePolicy } from '../policy/define-policy.ts';
import { DECIDE_VERSION } from './decide.ts';
import { decideVersions } from './decide-versions.ts';
import type { AttemptOutcome, DecisionInput } from './decision.ts';

const input: DecisionInput = {
  policy: definePolicy({ jitter: 'none', maxAttempts: 3 }),
  account: { charged: 3, freeWaits: 0, freeWaitMs: 0, lastDelayMs: 0 },
  outcome: { kind: 'failure', errorClass: 'retryable', effect: 'none' },
  rung: 'job',
  horizonMs: Infinity,
  canHandOver: false,
  timeLeftMs: Infinity,
  allowance: Infinity,
  budgetAllows: true,
  breakerOpenMs: 0,
  onUnknown: 'retry',
  random: 0,
};
/** As version 1 wrote it. */
const lost = { kind: 'lease_lost', times: 2 } as AttemptOutcome;

describe('decide, by version', () => {
  const answer = (version: number, change: Partial<DecisionInput>) =>
    decideVersions[version]?.({ ...input, ...change });

  it('has every version up to the present one', () => {
    expect(Object.keys(decideVersions)).toEqual(
      Array.from({ length: DECIDE_VERSION }, (_, before) => String(before + 1)),
    );
  });

  it('derives a record of version 1 as version 1 did', () => {
    const probe = { probe: true, breakerOpenMs: 5_000 };
    expect(answer(1, probe)).toEqual({
      action: 'park',
      reason: 'breaker_open',
      delayMs: 5_000,
      charge: { entry: 'rate_limited', budget: false },
    });
    expect(answer(2, probe)?.charge.entry).toBe('blocked');
    expect(answer(1, { outcome: lost })).toMatchObject({
      reason: 'max_attempts_exceeded',
      charge: { entry: 'lease_lost' },
    });
    expect(answer(2, { outcome: { ...lost, alone: false } as AttemptOutcome })).toMatchObject({
      action: 'retry',
      charge: { entry: 'process_lost' },
    });
  });

  it.each([1, 2])('derives a record of version %i whose ramp was undecided', (version) => {
    const fresh = { account: { ...input.account, charged: 1 } };
    // As these versions wrote it: the input is not in the types any more.
    const undecided = { ...fresh, undecided: true } as Partial<DecisionInput>;
    expect(answer(version, undecided)).toEqual({
      action: 'park',
      reason: 'ramp_undecided',
      delayMs: 86_400_000,
      charge: { entry: 'failed', budget: false },
    });
    expect(answer(version, fresh)?.reason).toBe('retryable_error');
    expect(answer(version, { ...undecided, ...input })?.reason).toBe('max_attempts_exceeded');
    expect(answer(3, undecided)?.reason).toBe('retryable_error');
  });

  it('derives a record of version 2 whose ramp was undecided and whose wait was free', () => {
    const undecided = { account: { ...input.account, charged: 1 }, undecided: true };
    const fail = (change: object) =>
      ({ ...input.outcome, ...change }) as Extract<AttemptOutcome, { kind: 'failure' }>;
    const parkedBy = (reason: string) => ({ action: 'park', reason, charge: { entry: 'blocked' } });

    const blockedBy = { cause: 'budget_exhausted', retryAfterMs: 1_000 };
    expect(answer(2, { ...undecided, outcome: fail({ blockedBy }) })).toMatchObject(
      parkedBy('budget_exhausted'),
    );
    const probe = { ...undecided, probe: true };
    expect(answer(2, { ...probe, breakerOpenMs: 5_000 })).toMatchObject(parkedBy('breaker_open'));
    const rateLimited = fail({ errorClass: 'rate_limited', retryAfterMs: 1_000 });
    expect(answer(2, { ...probe, outcome: rateLimited })).toMatchObject(parkedBy('ramp_undecided'));
    expect(answer(2, { ...undecided, outcome: { kind: 'success' } })?.action).toBe('succeed');
  });
});
