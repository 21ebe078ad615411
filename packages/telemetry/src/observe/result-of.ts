import type { ReasonCode } from '@redrive/core';
import type { DEAD_REASONS, RESULTS } from '../catalogue/labels.ts';

export type OperationResult = (typeof RESULTS)[number];
type DeadLetterLabel = (typeof DEAD_REASONS)[number];

/** Reasons of operations that did not succeed. A reason without a row is an error that is not retried. */
const BY_REASON: Readonly<Partial<Record<ReasonCode, OperationResult>>> = {
  max_attempts_exceeded: 'exhausted',
  allowance_exhausted: 'exhausted',
  lease_lost: 'exhausted',
  ttl_exceeded: 'expired',
  beyond_horizon: 'expired',
  budget_exhausted: 'refused',
  breaker_open: 'refused',
  gate_closed: 'refused',
  kill_switch: 'refused',
  cancelled: 'cancelled',
  interrupted: 'cancelled',
  handed_over: 'handed_over',
};

/** The result of an operation, for the label `result`. */
export function resultOf(
  success: boolean,
  reason: ReasonCode,
  totalAttempts: number,
): OperationResult {
  if (success) return totalAttempts <= 1 ? 'first_try' : 'recovered';
  return BY_REASON[reason] ?? 'non_retryable';
}

/** The label `reason` of a dead letter: the same as its `metric_reason`. */
export function deadLetterLabel(reason: ReasonCode): DeadLetterLabel {
  const result = resultOf(false, reason, 0);
  if (result === 'exhausted') return 'max_attempts';
  return result === 'expired' ? 'ttl_exceeded' : 'non_retryable';
}
