import type { ReasonCode } from '@redrive/core';

/** A reason code in a few words; docs/reference/reason-codes.md has the details. */
export const REASON_TEXT: Readonly<Record<ReasonCode, string>> = {
  succeeded: 'it succeeded',
  retryable_error: 'the error may be temporary',
  rate_limited: 'its dependency rate-limited it',
  final_error: 'trying again cannot help',
  inner_gave_up: 'a call inside it gave up',
  cancelled: 'it was cancelled',
  interrupted: 'a stopping worker released it, and no attempt was charged',
  lease_lost: 'its worker stopped sending heartbeats',
  policy_disabled: 'its policy is disabled and allows one attempt only',
  max_attempts_exceeded: 'all its attempts are used up',
  allowance_exhausted: 'other calls in the same attempt used up its retries',
  ttl_exceeded: 'its deadline has passed',
  beyond_horizon: 'the wait would be too long',
  budget_exhausted: 'the retry budget of its dependency is used up',
  breaker_open: 'the circuit breaker of its dependency is open',
  gate_closed: 'its dependency is rate-limited',
  kill_switch: 'a kill switch stopped it',
  effect_unknown: 'it is unknown whether its effect was applied; a person must decide',
  effect_applied: 'it failed, but its effect was applied; a person must decide',
  handed_over: 'a call handed it over, because the wait was too long for it',
  invalid_message: 'the message of the broker could not be read',
  message_too_large: 'the message of the broker is larger than 1 MiB',
  idempotency_conflict: 'another event with the same idempotency key has another body',
};
