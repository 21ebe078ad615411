import type { Decision } from '@redrive/core';
import { claimAttempt, openAccount, settleAttempt, viewOf } from '@redrive/core/stored';
import { describe, expect, it } from 'vitest';
import { ownWaitMs } from './own-wait.ts';

describe('the account', () => {
  it('has no wait of what is parked: a probe that was free takes nothing of the free time', () => {
    const waited = settleAttempt(claimAttempt(openAccount()), 'rate_limited', 5_000);
    const parked = { action: 'park', reason: 'breaker_open', delayMs: 86_400_000 } as const;
    const probed = settleAttempt(claimAttempt(waited), 'rate_limited', ownWaitMs(parked));
    expect(viewOf(probed)).toEqual({
      charged: 0,
      freeWaits: 2,
      freeWaitMs: 5_000,
      lastDelayMs: 5_000,
    });
  });

  it.each<[Decision['action'], Decision['reason'], number | undefined, number | undefined]>([
    ['retry', 'retryable_error', 1_000, 1_000],
    ['hand-over', 'beyond_horizon', 1_000, 1_000],
    ['succeed', 'succeeded', 0, 0],
    ['give-up', 'max_attempts_exceeded', 1_000, 0],
    ['give-up', 'final_error', undefined, 0],
    ['park', 'gate_closed', 1_000, undefined],
    ['park', 'breaker_open', 1_000, undefined],
    ['park', 'budget_exhausted', 1_000, 1_000],
  ])(
    '%s because of %s, after %s ms: the wait of its own is %s',
    (action, reason, delayMs, waitMs) => {
      expect(ownWaitMs({ action, reason, delayMs })).toBe(waitMs);
    },
  );
});
