import type { ReasonCode } from '@redrive/core';

/** A reason code in a few words; docs/reference/reason-codes.md has the details. */
export const REASON_TEXT: Readonly<Record<ReasonCode, string>> = {
  succeeded: 'it worked',
  retryable_error: 'it failed in a way that may pass',
  rate_limited: 'the other side asked for less',
  final_error: 'trying again cannot help',
  inner_gave_up: 'a session inside it has given up',
  cancelled: 'somebody does not want it any more',
  interrupted: 'a stopping worker gave it back, at no cost',
  lease_lost: 'its worker went silent',
  policy_disabled: 'its policy is switched off: one attempt only',
  max_attempts_exceeded: 'all its attempts are used up',
  allowance_exhausted: 'other calls in the same attempt used up its retries',
  ttl_exceeded: 'its time is up',
  beyond_horizon: 'the wait would be too long',
  budget_exhausted: 'the retry budget of what it talks to is empty',
  breaker_open: 'the circuit breaker of what it talks to is open',
  gate_closed: 'everything for what it talks to waits',
  kill_switch: 'somebody has thrown the kill switch',
  ramp_undecided: 'it was sent as one of the first of many, and they are being watched',
  effect_unknown: 'nobody knows whether it had its effect, and a person must decide',
  effect_applied: 'it failed but had its effect, and a person must decide',
  handed_over: 'a call handed it over, because the wait was too long for it',
};
