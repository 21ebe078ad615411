import { drawDelayMs, jitterRange, nominalDelayMs } from '../backoff/delay.ts';
import { MAX_DURATION_MS } from '../clock/clock.ts';
import { DECIDE_VERSION, decide } from './decide.ts';
import type { BlockCause, Charge, Decision, DecisionInput, ReasonCode } from './decision.ts';

/** Every version of `decide` that a record may name. */
export const decideVersions: Readonly<Record<number, (input: DecisionInput) => Decision>> = {
  1: decideV1,
  2: decideV2,
  [DECIDE_VERSION]: decide,
};

/** Versions 1 and 2 had one more input: after a failure, jobs of an early ramp stage waited for the result of that stage. */
interface InputBefore extends DecisionInput {
  readonly undecided?: boolean | undefined;
}

/** The cause of that wait, which is not in the types any more. */
const RAMP_UNDECIDED = 'ramp_undecided' as string as BlockCause;
const RAMP_UNDECIDED_MS = 86_400_000;

/**
 * Version 2 of `decide`: version 3, with the wait for a ramp in the place of a retry. If `decide` changes again, this
 * needs a copy of version 3: an answer here never changes.
 */
function decideV2(input: InputBefore): Decision {
  const answer = decide(input);
  const { outcome } = input;
  // Only failures of stored items got to it, after everything that ends them.
  if (!input.undecided || outcome.kind !== 'failure') return answer;
  if (answer.action !== 'retry' && answer.action !== 'park') return answer;
  const { entry } = answer.charge;
  const wasFree = entry === 'blocked' && (outcome.blockedBy || input.breakerOpenMs > 0);
  if (wasFree) return answer;
  const charge = { entry, budget: false };
  return { action: 'park', reason: RAMP_UNDECIDED, delayMs: RAMP_UNDECIDED_MS, charge };
}

const HINT_JITTER = 0.1;

/**
 * Version 1 of `decide`, as it was when records named it: they are derived again with it. Never change an answer here.
 * In version 1 every lost lease was charged, and a failed probe was free up to `maxFreeWaits`.
 */
export function decideV1(input: InputBefore): Decision {
  const { policy, account, outcome } = input;
  switch (outcome.kind) {
    case 'success':
      return SUCCEED;
    case 'interrupted':
      return { action: 'retry', reason: 'interrupted', delayMs: 0, charge: REFUND_INTERRUPTED };
    case 'blocked':
      return block(input, outcome.cause, outcome.retryAfterMs, REFUND_BLOCKED);
    case 'lease_lost':
      return afterLostLease(input, outcome.times);
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
  if (!policy.enabled) return giveUp('policy_disabled', CHARGE_FAILED);
  if (input.onUnknown === 'ask' && outcome.effect !== 'none') {
    return giveUp(
      outcome.effect === 'applied' ? 'effect_applied' : 'effect_unknown',
      CHARGE_FAILED,
    );
  }

  if (input.timeLeftMs <= 0) return giveUp('ttl_exceeded', CHARGE_FAILED);
  if (isFreeProbe(input)) {
    return block(input, 'breaker_open', input.breakerOpenMs, REFUND_RATE_LIMITED);
  }

  const hintMs = usableHintMs(outcome.retryAfterMs);
  const rateLimited = outcome.errorClass === 'rate_limited';
  const free = rateLimited && hintMs !== undefined && isFreeWait(input, hintedMs(input, hintMs));
  const delayMs = free ? hintedMs(input, hintMs) : nextDelayMs(input, hintMs);
  const charge = free ? REFUND_RATE_LIMITED : CHARGE_FAILED;
  if (!free && account.charged >= policy.maxAttempts)
    return giveUp('max_attempts_exceeded', charge, delayMs);
  if (input.allowance <= 0) return giveUp('allowance_exhausted', charge, delayMs);
  if (delayMs >= input.timeLeftMs) return giveUp('ttl_exceeded', charge, delayMs);
  if (delayMs > input.horizonMs) {
    return input.canHandOver
      ? { action: 'hand-over', reason: 'beyond_horizon', delayMs, charge }
      : giveUp('beyond_horizon', charge, delayMs);
  }
  if (input.undecided) return block(input, RAMP_UNDECIDED, RAMP_UNDECIDED_MS, charge);
  // Sleeping towards a breaker that will still be open is a wait for nothing.
  if (input.breakerOpenMs > delayMs)
    return block(input, 'breaker_open', input.breakerOpenMs, charge);
  if (!input.budgetAllows) return block(input, 'budget_exhausted', delayMs, charge);
  const reason = rateLimited ? 'rate_limited' : 'retryable_error';
  return { action: 'retry', reason, delayMs, charge: free ? charge : CHARGE_FAILED_AND_BUDGET };
}

/**
 * The first lost lease of a generation is most likely a process that was killed for reasons of its own, so the work goes
 * on at once. Work that loses lease after lease may be what kills its process: it backs off like a failure.
 */
function afterLostLease(input: DecisionInput, times: number): Decision {
  const { policy, account } = input;
  if (!policy.enabled) return giveUp('policy_disabled', CHARGE_LEASE_LOST);
  if (input.onUnknown === 'ask') return giveUp('effect_unknown', CHARGE_LEASE_LOST);
  if (input.timeLeftMs <= 0) return giveUp('ttl_exceeded', CHARGE_LEASE_LOST);
  const delayMs = times > 1 ? nextDelayMs(input) : 0;
  if (account.charged >= policy.maxAttempts)
    return giveUp('max_attempts_exceeded', CHARGE_LEASE_LOST, delayMs);
  if (delayMs >= input.timeLeftMs) return giveUp('ttl_exceeded', CHARGE_LEASE_LOST, delayMs);
  return { action: 'retry', reason: 'lease_lost', delayMs, charge: CHARGE_LEASE_LOST };
}

/** A classifier written by hand may answer anything: what is no length of time is no hint, and a hint has an end. */
function usableHintMs(retryAfterMs = -1): number | undefined {
  return retryAfterMs >= 0 ? Math.min(retryAfterMs, MAX_DURATION_MS) : undefined;
}

/** The wait before the next attempt: back-off and jitter, but never earlier than the other side asked for. */
function nextDelayMs({ policy, account, random }: DecisionInput, hintMs = 0): number {
  const nominalMs = nominalDelayMs(policy, account.charged);
  const delayMs = drawDelayMs(jitterRange(policy, nominalMs, account.lastDelayMs), random);
  return Math.max(delayMs, hintedMs({ random }, hintMs));
}

/** The delay that the dependency asked for, and a little more. */
function hintedMs({ random }: Pick<DecisionInput, 'random'>, hintMs: number): number {
  return Math.ceil(hintMs * (1 + HINT_JITTER * random));
}

/**
 * A rate limit with a hint costs a stored item no attempt, and the hint alone is the wait, up to the ceiling; a server
 * that always answers 429 would be asked for ever otherwise. In process every call counts.
 */
function isFreeWait({ policy, account, rung }: DecisionInput, delayMs: number): boolean {
  return (
    rung !== 'call' &&
    account.freeWaits < policy.maxFreeWaits &&
    account.freeWaitMs + delayMs <= policy.maxFreeWaitMs
  );
}

/**
 * It tried for all that wait: that the dependency is still away is not its own failure. Like rate limits up to a
 * ceiling, because it may be what the dependency cannot take.
 */
function isFreeProbe({ probe, rung, breakerOpenMs, account, policy }: DecisionInput): boolean {
  return (
    probe === true &&
    rung !== 'call' &&
    breakerOpenMs > 0 &&
    account.freeWaits < policy.maxFreeWaits
  );
}

/** A call that is blocked gives up; a stored item waits under the cause, and never becomes a dead letter by it. */
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
const REFUND_BLOCKED: Charge = { entry: 'blocked', budget: false };
const SUCCEED: Decision = {
  action: 'succeed',
  reason: 'succeeded',
  delayMs: 0,
  charge: { entry: 'succeeded', budget: false },
};
