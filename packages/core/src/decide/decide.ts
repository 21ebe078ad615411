import { jitterRange, nominalDelayMs } from '../backoff/delay.ts';
import {
  afterFailure,
  backoffMs,
  giveUp,
  REFUND_BLOCKED,
  type StoredRules,
} from './decide-call.ts';
import type { AttemptOutcome, BlockCause, Charge, Decision, DecisionInput } from './decision.ts';

/** Raised whenever the same input may get another answer; records carry it, and old versions stay runnable. */
export const DECIDE_VERSION = 1;

/** Every version of `decide` that a record may name. */
export const decideVersions: Readonly<Record<number, (input: DecisionInput) => Decision>> = {
  [DECIDE_VERSION]: decide,
};

/**
 * Decides what happens after an attempt; no other code does. Pure: no clock, no randomness of its own, no I/O. The part
 * that `retry` carries is in `decide-call.ts`.
 */
export function decide(input: DecisionInput): Decision {
  const { outcome, timeLeftMs } = input;
  const rules = input.rung === 'call' ? undefined : STORED;
  switch (outcome.kind) {
    case 'success':
      return SUCCEED;
    case 'interrupted':
      return { action: 'retry', reason: 'interrupted', delayMs: 0, charge: REFUND_INTERRUPTED };
    case 'blocked':
      return (rules?.park ?? giveUp)(outcome.cause, REFUND_BLOCKED, outcome.retryAfterMs);
    case 'lease_lost':
      return afterLostLease(input, outcome);
    case 'unstarted':
      return giveUp(timeLeftMs <= 0 ? 'ttl_exceeded' : 'max_attempts_exceeded', REFUND_BLOCKED);
    case 'failure':
      return afterFailure(input, outcome, rules);
  }
}

/**
 * A lost lease is charged only to an item that its process held alone: with several items it is not known which one ended
 * the process. So the one attempt of a disabled policy is used up only then, too. The first loss is blamed on the process,
 * so the work continues at once. After that a charged item backs off, and an uncharged one waits for a random part of a
 * second, so that items that were lost together are not claimed together again.
 */
function afterLostLease(input: DecisionInput, { times, alone }: LostLease): Decision {
  const { policy, account } = input;
  const charge = alone ? CHARGE_LEASE_LOST : REFUND_PROCESS_LOST;
  if (alone && !policy.enabled) return giveUp('policy_disabled', charge);
  if (input.onUnknown === 'ask') return giveUp('effect_unknown', charge);
  if (input.timeLeftMs <= 0) return giveUp('ttl_exceeded', charge);
  const delayMs =
    times > 1 ? (alone ? backoffMs(input) : Math.ceil(SUSPECT_SPREAD_MS * input.random)) : 0;
  if (alone && account.charged >= policy.maxAttempts)
    return giveUp('max_attempts_exceeded', charge, delayMs);
  if (delayMs >= input.timeLeftMs) return giveUp('ttl_exceeded', charge, delayMs);
  return { action: 'retry', reason: 'lease_lost', delayMs, charge };
}

type LostLease = Extract<AttemptOutcome, { kind: 'lease_lost' }>;

/**
 * The longest wait of an uncharged item. It does not grow: an item loses few leases uncharged, and most items that were lost
 * with it are healthy.
 */
const SUSPECT_SPREAD_MS = 1_000;

const STORED: StoredRules = {
  /**
   * A stored item waits free of charge when its attempt was the probe of a dependency that is still down, or when a
   * breaker, a budget or a kill switch refused an inner session: neither is a failure of the item itself.
   */
  freeBlock(input, blockedBy) {
    const { probe, breakerOpenMs, timeLeftMs } = input;
    const failedProbe = probe && breakerOpenMs > 0;
    if (!(blockedBy || failedProbe) || !isFreeOfCharge(input)) return undefined;
    if (!blockedBy) return park('breaker_open', REFUND_BLOCKED, breakerOpenMs);
    const { cause } = blockedBy;
    const delayMs = Math.max(blockedBy.retryAfterMs, backoffMs(input));
    if (cause !== 'kill_switch') return park(cause, REFUND_BLOCKED, delayMs);
    return delayMs < timeLeftMs
      ? { action: 'retry', reason: cause, delayMs, charge: REFUND_BLOCKED }
      : giveUp('ttl_exceeded', REFUND_BLOCKED, delayMs);
  },

  /**
   * A rate limit with a hint costs a stored item no attempt, and the hint alone is the wait. Free waits have a ceiling,
   * because a server that always answers 429 would otherwise be called for ever. In process every call counts. A probe
   * waits for the hint and checks the breaker afterwards: it uses no free wait.
   */
  refundOf(input, delayMs) {
    const { policy, account } = input;
    if (input.probe && isFreeOfCharge(input) && delayMs <= policy.maxFreeWaitMs)
      return REFUND_BLOCKED;
    const isFreeWait =
      account.freeWaits < policy.maxFreeWaits &&
      account.freeWaitMs + delayMs <= policy.maxFreeWaitMs;
    return isFreeWait ? REFUND_RATE_LIMITED : undefined;
  },

  park,
};

/** A blocked call gives up. A blocked stored item is parked under the cause, and never becomes a dead letter by it. */
function park(reason: BlockCause, charge: Charge, delayMs: number): Decision {
  return { action: 'park', reason, delayMs, charge };
}

/**
 * After `maxFreeWaitMs`, and no earlier than its back-off, one attempt is charged, because the item itself may be the
 * cause of the dependency's failure. The longest back-off that jitter allows counts: each probe would draw again, and
 * one of many draws is short.
 */
function isFreeOfCharge({ policy, account, unchargedForMs = 0 }: DecisionInput): boolean {
  const nominalMs = nominalDelayMs(policy, account.charged);
  const { maxMs } = jitterRange(policy, nominalMs, account.lastDelayMs);
  return unchargedForMs < Math.max(policy.maxFreeWaitMs, maxMs);
}

const CHARGE_LEASE_LOST: Charge = { entry: 'lease_lost', budget: false };
const REFUND_RATE_LIMITED: Charge = { entry: 'rate_limited', budget: false };
const REFUND_INTERRUPTED: Charge = { entry: 'interrupted', budget: false };
const REFUND_PROCESS_LOST: Charge = { entry: 'process_lost', budget: false };
const SUCCEED: Decision = {
  action: 'succeed',
  reason: 'succeeded',
  delayMs: 0,
  charge: { entry: 'succeeded', budget: false },
};
