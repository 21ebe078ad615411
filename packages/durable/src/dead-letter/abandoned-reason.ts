import type { ReasonCode } from '@redrive/core';

/** `abandoned_reason` of a dead letter. */
export type AbandonedReason = 'max_attempts_exceeded' | 'ttl_exceeded' | 'non_retryable';

/** The same as a metric labels it: `metric_reason` of a dead letter. */
export type DeadLetterLabel = 'max_attempts' | 'ttl_exceeded' | 'non_retryable';

/** Why something is given up, in one of three words: tried often enough, too late, or of no use. */
const ABANDONED: Readonly<Partial<Record<ReasonCode, AbandonedReason>>> = {
  max_attempts_exceeded: 'max_attempts_exceeded',
  allowance_exhausted: 'max_attempts_exceeded',
  lease_lost: 'max_attempts_exceeded',
  ttl_exceeded: 'ttl_exceeded',
  beyond_horizon: 'ttl_exceeded',
};

/** The `abandoned_reason` of a reason code. Reasons without a row are `non_retryable`. */
export function abandonedReason(reason: ReasonCode | undefined): AbandonedReason {
  return (reason && ABANDONED[reason]) ?? 'non_retryable';
}

export const DEAD_LETTER_LABELS: Readonly<Record<AbandonedReason, DeadLetterLabel>> = {
  max_attempts_exceeded: 'max_attempts',
  ttl_exceeded: 'ttl_exceeded',
  non_retryable: 'non_retryable',
};
