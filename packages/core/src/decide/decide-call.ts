import { drawDelayMs, jitterRange, nominalDelayMs } from '../backoff/delay.ts';
import { MAX_DURATION_MS } from '../clock/clock.ts';
import type {
  AttemptOutcome,
  BlockCause,
  Charge,
  Decision,
  DecisionInput,
  InnerBlock,
  ReasonCode,
} from './decision.ts';

/** A hint is a floor. At most this share of it is added, so that callers with the same hint do not return together. */
const HINT_JITTER = 0.1;

/** A failed attempt, as `decide` sees it. The session's memory of one is `Failure` in `run/session.ts`. */
export type FailureOutcome = Extract<AttemptOutcome, { kind: 'failure' }>;
type Blocked = Extract<AttemptOutcome, { kind: 'blocked' }>;

/** The rules that only stored rungs have. They stand in `decide.ts`, so that a program that only retries carries none. */
export interface StoredRules {
  /** Waits without a charge, because the failure is not the item's own. */
  freeBlock(input: DecisionInput, blockedBy: InnerBlock | undefined): Decision | undefined;
  /** The charge of a hinted wait that costs no attempt. */
  refundOf(input: DecisionInput, delayMs: number): Charge | undefined;
  /** Lets the item wait under a cause, where a call gives up. */
  park(cause: BlockCause, charge: Charge, delayMs: number): Decision;
}

/** `decide` for the rung `call`, about an attempt that failed or was blocked. */
export function decideCall(
  input: DecisionInput & { readonly outcome: FailureOutcome | Blocked },
): Decision {
  const { outcome } = input;
  return outcome.kind === 'failure'
    ? afterFailure(input, outcome)
    : giveUp(outcome.cause, REFUND_BLOCKED, outcome.retryAfterMs);
}

/**
 * Decides what happens after a failed attempt, on every rung. The strongest checks come first: the outcome itself, then
 * used-up attempts, then limits of time, waits and budget.
 */
export function afterFailure(
  input: DecisionInput,
  outcome: FailureOutcome,
  stored?: StoredRules,
): Decision {
  const { policy, account, timeLeftMs, breakerOpenMs } = input;
  const { errorClass, effect } = outcome;
  if (errorClass === 'ignored') return giveUp('cancelled', CHARGE_CANCELLED);
  if (errorClass === 'final')
    return giveUp(outcome.innerGaveUp ? 'inner_gave_up' : 'final_error', CHARGE_FAILED);
  const free = stored?.freeBlock(input, outcome.blockedBy);
  if (!policy.enabled && !free) return giveUp('policy_disabled', CHARGE_FAILED);
  if (input.onUnknown === 'ask' && effect !== 'none')
    return giveUp(effect === 'applied' ? 'effect_applied' : 'effect_unknown', CHARGE_FAILED);

  if (timeLeftMs <= 0) return giveUp('ttl_exceeded', CHARGE_FAILED);
  if (free) return free;

  const hintMs = usableHintMs(outcome.retryAfterMs);
  const hintedWaitMs = hintedMs(input, hintMs ?? 0);
  const rateLimited = errorClass === 'rate_limited';
  const refund =
    rateLimited && hintMs !== undefined ? stored?.refundOf(input, hintedWaitMs) : undefined;
  const delayMs = refund ? hintedWaitMs : Math.max(backoffMs(input), hintedWaitMs);
  const charge = refund ?? CHARGE_FAILED;
  if (!refund && account.charged >= policy.maxAttempts)
    return giveUp('max_attempts_exceeded', charge, delayMs);
  if (input.allowance <= 0) return giveUp('allowance_exhausted', charge, delayMs);
  if (delayMs >= timeLeftMs) return giveUp('ttl_exceeded', charge, delayMs);
  if (delayMs > input.horizonMs) {
    return input.canHandOver
      ? { action: 'hand-over', reason: 'beyond_horizon', delayMs, charge }
      : giveUp('beyond_horizon', charge, delayMs);
  }
  const block = stored?.park ?? giveUp;
  // Sleeping towards a breaker that will still be open is a wait for nothing. A probe that was charged does so all the
  // same: parked, it could be released and charged again before its back-off is over.
  if (breakerOpenMs > delayMs && !input.probe) return block('breaker_open', charge, breakerOpenMs);
  if (!input.budgetAllows) return block('budget_exhausted', charge, delayMs);
  const reason = rateLimited ? 'rate_limited' : 'retryable_error';
  return { action: 'retry', reason, delayMs, charge: refund ?? CHARGE_FAILED_AND_BUDGET };
}

/** A hand-written classifier may return anything: a hint that is not a duration is ignored, and a hint has a maximum. */
function usableHintMs(retryAfterMs = -1): number | undefined {
  return retryAfterMs >= 0 ? Math.min(retryAfterMs, MAX_DURATION_MS) : undefined;
}

/** The hint of the dependency, plus a small random share. */
function hintedMs({ random }: DecisionInput, hintMs: number): number {
  return Math.ceil(hintMs * (1 + HINT_JITTER * random));
}

/** The wait before the next attempt: back-off and jitter, without a hint of the dependency. */
export function backoffMs({ policy, account, random }: DecisionInput): number {
  const nominalMs = nominalDelayMs(policy, account.charged);
  return drawDelayMs(jitterRange(policy, nominalMs, account.lastDelayMs), random);
}

export function giveUp(reason: ReasonCode, charge: Charge, delayMs?: number): Decision {
  return delayMs === undefined
    ? { action: 'give-up', reason, charge }
    : { action: 'give-up', reason, delayMs, charge };
}

const CHARGE_FAILED: Charge = { entry: 'failed', budget: false };
const CHARGE_FAILED_AND_BUDGET: Charge = { entry: 'failed', budget: true };
const CHARGE_CANCELLED: Charge = { entry: 'cancelled', budget: false };
export const REFUND_BLOCKED: Charge = { entry: 'blocked', budget: false };
