import { drawDelayMs, jitterRange } from '../backoff/jitter.ts';
import { nominalDelayMs } from '../backoff/nominal-delay.ts';
import { MAX_DURATION_MS } from '../clock/clock.ts';
import type { ResolvedPolicy } from '../policy/policy.ts';
import type { AccountView } from './account.ts';
import type {
  AttemptOutcome,
  BlockCause,
  Charge,
  Decision,
  InnerBlock,
  ReasonCode,
  Rung,
} from './decision.ts';

/** Raised whenever the same input may get another answer; records carry it, and old versions stay runnable. */
export const DECIDE_VERSION = 2;

/** The longest time that an item stays parked without a release. */
const PARKED_AT_MOST_MS = 86_400_000;

/** A hint is a floor. At most this share of it is added, so that callers with the same hint do not return together. */
export const HINT_JITTER = 0.1;

/**
 * The whole input of `decide`. Plain data: it can be stored, and given to `decide` again. JSON writes `Infinity` as
 * `null`. No field is ever `null` itself, so a reader of the JSON turns every `null` back into `Infinity`.
 */
export interface DecisionInput {
  readonly policy: DecisionPolicy;
  readonly account: AccountView;
  readonly outcome: AttemptOutcome;
  readonly rung: Rung;
  /** The longest wait on this rung. `Infinity`: any. */
  readonly horizonMs: number;
  /** Whether the work can be stored, so that the next rung can go on with it. */
  readonly canHandOver: boolean;
  /** Time left until the session's deadline. `Infinity`: none. */
  readonly timeLeftMs: number;
  /** Retries that the call may still make, after those that all linked calls have counted. `Infinity`: linked to none. */
  readonly allowance: number;
  /** Whether the dependency's budget has the tokens for one more retry. */
  readonly budgetAllows: boolean;
  /** How long the dependency's breaker stays open. 0: it lets calls through, or is looked at again after the wait. */
  readonly breakerOpenMs: number;
  /** Whether the attempt was the probe of the dependency's breaker. Default `false`. */
  readonly probe?: boolean | undefined;
  /**
   * Stored items: time since the item was last charged, or first parked if that was later. Until it reaches
   * `maxFreeWaitMs`, a probe and a block inside an attempt cost no attempt. Default 0.
   */
  readonly unchargedForMs?: number | undefined;
  /** The rule for a failed attempt with unknown effect. `ask` leaves the decision to a person. */
  readonly onUnknown: 'retry' | 'ask';
  /**
   * An act on many sent it and has not decided yet whether to go on: after a failure the rest of its attempts wait for
   * that. Absent: no.
   */
  readonly undecided?: boolean | undefined;
  /** Uniform on [0, 1): a function of the session id and the execution number. */
  readonly random: number;
}

/** The fields of a policy that take part in a decision. */
export type DecisionPolicy = Pick<
  ResolvedPolicy,
  | 'enabled'
  | 'maxAttempts'
  | 'backoff'
  | 'baseDelayMs'
  | 'maxDelayMs'
  | 'multiplier'
  | 'immediateFirstRetry'
  | 'jitter'
  | 'jitterAmount'
  | 'maxFreeWaits'
  | 'maxFreeWaitMs'
>;

/**
 * Decides what happens after an attempt; no other code does. Pure: no clock, no randomness of its own, no I/O. The
 * strongest checks come first: the outcome itself, then used-up attempts, then limits of time, waits and budget.
 */
export function decide(input: DecisionInput): Decision {
  const { policy, account, outcome } = input;
  switch (outcome.kind) {
    case 'success':
      return SUCCEED;
    case 'interrupted':
      return { action: 'retry', reason: 'interrupted', delayMs: 0, charge: REFUND_INTERRUPTED };
    case 'blocked':
      return block(input, outcome.cause, outcome.retryAfterMs, REFUND_BLOCKED);
    case 'lease_lost':
      return afterLostLease(input, outcome);
    case 'unstarted':
      return giveUp(
        input.timeLeftMs <= 0 ? 'ttl_exceeded' : 'max_attempts_exceeded',
        REFUND_BLOCKED,
      );
    case 'failure':
      break;
  }

  if (outcome.errorClass === 'ignored') return giveUp('cancelled', CHARGE_CANCELLED);
  if (outcome.errorClass === 'final')
    return giveUp(outcome.innerGaveUp ? 'inner_gave_up' : 'final_error', CHARGE_FAILED);
  const free = freeBlock(input, outcome.blockedBy);
  if (!policy.enabled && free === undefined) return giveUp('policy_disabled', CHARGE_FAILED);
  if (input.onUnknown === 'ask' && outcome.effect !== 'none') {
    return giveUp(
      outcome.effect === 'applied' ? 'effect_applied' : 'effect_unknown',
      CHARGE_FAILED,
    );
  }

  if (input.timeLeftMs <= 0) return giveUp('ttl_exceeded', CHARGE_FAILED);
  if (free !== undefined) return free;

  const hintMs = usableHintMs(outcome.retryAfterMs);
  const rateLimited = outcome.errorClass === 'rate_limited';
  const hintedWaitMs = hintedMs(input, hintMs ?? 0);
  const refund = rateLimited && hintMs !== undefined && refundOf(input, hintedWaitMs);
  const delayMs = refund ? hintedWaitMs : nextDelayMs(input, hintMs);
  const charge = refund || CHARGE_FAILED;
  if (!refund && account.charged >= policy.maxAttempts)
    return giveUp('max_attempts_exceeded', charge, delayMs);
  if (input.allowance <= 0) return giveUp('allowance_exhausted', charge, delayMs);
  if (delayMs >= input.timeLeftMs) return giveUp('ttl_exceeded', charge, delayMs);
  if (delayMs > input.horizonMs) {
    return input.canHandOver
      ? { action: 'hand-over', reason: 'beyond_horizon', delayMs, charge }
      : giveUp('beyond_horizon', charge, delayMs);
  }
  if (input.undecided) return block(input, 'ramp_undecided', PARKED_AT_MOST_MS, charge);
  // Sleeping towards a breaker that will still be open is a wait for nothing. A probe that was charged does so all the
  // same: parked, it could be released and charged again before its back-off is over.
  if (input.breakerOpenMs > delayMs && input.probe !== true)
    return block(input, 'breaker_open', input.breakerOpenMs, charge);
  if (!input.budgetAllows) return block(input, 'budget_exhausted', delayMs, charge);
  const reason = rateLimited ? 'rate_limited' : 'retryable_error';
  return { action: 'retry', reason, delayMs, charge: refund || CHARGE_FAILED_AND_BUDGET };
}

/**
 * A lost lease is charged only to an item that its process held alone: with several items it is not known which one ended
 * the process. The first loss of a generation is blamed on the process, so the work goes on at once. After that the item
 * backs off, and jitter keeps items that were lost together from being claimed together again.
 */
function afterLostLease(input: DecisionInput, { times, alone }: LostLease): Decision {
  const { policy, account } = input;
  const charge = alone ? CHARGE_LEASE_LOST : REFUND_PROCESS_LOST;
  if (!policy.enabled) return giveUp('policy_disabled', charge);
  if (input.onUnknown === 'ask') return giveUp('effect_unknown', charge);
  if (input.timeLeftMs <= 0) return giveUp('ttl_exceeded', charge);
  const delayMs = times > 1 ? (alone ? nextDelayMs(input) : suspectDelayMs(input, times)) : 0;
  if (alone && account.charged >= policy.maxAttempts)
    return giveUp('max_attempts_exceeded', charge, delayMs);
  if (delayMs >= input.timeLeftMs) return giveUp('ttl_exceeded', charge, delayMs);
  return { action: 'retry', reason: 'lease_lost', delayMs, charge };
}

type LostLease = Extract<AttemptOutcome, { kind: 'lease_lost' }>;

/** Between half of the back-off and all of it, with any jitter of the policy. */
function suspectDelayMs({ policy, random }: DecisionInput, times: number): number {
  return Math.ceil((nominalDelayMs(policy, times - 1) * (1 + random)) / 2);
}

/** A hand-written classifier may return anything: a hint that is not a duration is ignored, and a hint has a maximum. */
function usableHintMs(retryAfterMs = -1): number | undefined {
  return retryAfterMs >= 0 ? Math.min(retryAfterMs, MAX_DURATION_MS) : undefined;
}

/** The wait before the next attempt: back-off and jitter, but never shorter than the hint of the dependency. */
function nextDelayMs({ policy, account, random }: DecisionInput, hintMs = 0): number {
  const nominalMs = nominalDelayMs(policy, account.charged);
  const delayMs = drawDelayMs(jitterRange(policy, nominalMs, account.lastDelayMs), random);
  return Math.max(delayMs, hintedMs({ random }, hintMs));
}

/** The hint of the dependency, plus a small random share. */
function hintedMs({ random }: Pick<DecisionInput, 'random'>, hintMs: number): number {
  return Math.ceil(hintMs * (1 + HINT_JITTER * random));
}

/**
 * A rate limit with a hint costs a stored item no attempt, and the hint alone is the wait. Free waits have a ceiling,
 * because a server that always answers 429 would otherwise be called for ever. In process every call counts. A probe waits
 * for the hint and checks the breaker afterwards: it uses no free wait.
 */
function refundOf(input: DecisionInput, delayMs: number): Charge | false {
  const { policy, account, rung, probe } = input;
  if (probe === true && isFreeOfCharge(input) && delayMs <= policy.maxFreeWaitMs)
    return REFUND_BLOCKED;
  const isFreeWait =
    rung !== 'call' &&
    account.freeWaits < policy.maxFreeWaits &&
    account.freeWaitMs + delayMs <= policy.maxFreeWaitMs;
  return isFreeWait && REFUND_RATE_LIMITED;
}

/**
 * A stored item waits free of charge when its attempt was the probe of a dependency that is still down, or when a breaker,
 * a budget or a kill switch refused an inner session: neither is a failure of the item itself.
 */
function freeBlock(input: DecisionInput, blockedBy: InnerBlock | undefined): Decision | undefined {
  const { probe, breakerOpenMs, timeLeftMs } = input;
  const failedProbe = probe === true && breakerOpenMs > 0;
  if (!(blockedBy || failedProbe) || !isFreeOfCharge(input)) return undefined;
  if (!blockedBy) return block(input, 'breaker_open', breakerOpenMs, REFUND_BLOCKED);
  const { cause } = blockedBy;
  const delayMs = Math.max(blockedBy.retryAfterMs, nextDelayMs(input));
  if (cause !== 'kill_switch') return block(input, cause, delayMs, REFUND_BLOCKED);
  return delayMs < timeLeftMs
    ? { action: 'retry', reason: cause, delayMs, charge: REFUND_BLOCKED }
    : giveUp('ttl_exceeded', REFUND_BLOCKED, delayMs);
}

/**
 * After `maxFreeWaitMs`, and no earlier than its back-off, one attempt is charged, because the item itself may be the
 * cause of the dependency's failure. The longest back-off that jitter allows counts: each probe would draw again, and
 * one of many draws is short.
 */
function isFreeOfCharge({ policy, account, rung, unchargedForMs = 0 }: DecisionInput): boolean {
  const nominalMs = nominalDelayMs(policy, account.charged);
  const { maxMs } = jitterRange(policy, nominalMs, account.lastDelayMs);
  return rung !== 'call' && unchargedForMs < Math.max(policy.maxFreeWaitMs, maxMs);
}

/** A blocked call gives up. A blocked stored item is parked under the cause, and never becomes a dead letter by it. */
function block(input: DecisionInput, cause: BlockCause, delayMs: number, charge: Charge): Decision {
  return input.rung === 'call'
    ? giveUp(cause, charge, delayMs)
    : { action: 'park', reason: cause, delayMs, charge };
}

function giveUp(reason: ReasonCode, charge: Charge, delayMs?: number): Decision {
  return delayMs === undefined
    ? { action: 'give-up', reason, charge }
    : { action: 'give-up', reason, delayMs, charge };
}

const CHARGE_FAILED: Charge = { entry: 'failed', budget: false };
const CHARGE_FAILED_AND_BUDGET: Charge = { entry: 'failed', budget: true };
const CHARGE_LEASE_LOST: Charge = { entry: 'lease_lost', budget: false };
const CHARGE_CANCELLED: Charge = { entry: 'cancelled', budget: false };
const REFUND_RATE_LIMITED: Charge = { entry: 'rate_limited', budget: false };
const REFUND_INTERRUPTED: Charge = { entry: 'interrupted', budget: false };
const REFUND_PROCESS_LOST: Charge = { entry: 'process_lost', budget: false };
const REFUND_BLOCKED: Charge = { entry: 'blocked', budget: false };
const SUCCEED: Decision = {
  action: 'succeed',
  reason: 'succeeded',
  delayMs: 0,
  charge: { entry: 'succeeded', budget: false },
};
