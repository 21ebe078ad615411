import type { AttemptEntry, ReasonCode } from '@redrive/core';

const SEND_BACK = 'then requeue it';

/** What to do about a dead letter, by the reason that it was given up for. Reasons that are not here: look at the error. */
const ADVICE: Partial<Readonly<Record<ReasonCode, string>>> = {
  final_error: `The error is final, so a retry alone cannot help: remove the cause of the error or edit the payload, ${SEND_BACK}.`,
  max_attempts_exceeded: `Every attempt failed: check that its dependency works again, ${SEND_BACK}.`,
  allowance_exhausted: `Other calls in the same attempt used up its retries: check that its dependency works again, ${SEND_BACK}.`,
  inner_gave_up: `A call inside the handler gave up: solve that problem first, ${SEND_BACK}.`,
  policy_disabled: `Its policy is disabled and allows one attempt only: enable the policy, or requeue it by hand.`,
  ttl_exceeded: 'Its deadline has passed. Requeue it (without a deadline), or purge it.',
  beyond_horizon: `The wait would have been too long: check that its dependency works again, ${SEND_BACK}.`,
  budget_exhausted: `The retry budget of its dependency was exhausted: check that the dependency works again, ${SEND_BACK}.`,
  breaker_open: `The circuit breaker of its dependency was open: check that the dependency works again, ${SEND_BACK}.`,
  effect_unknown:
    'It is unknown whether its effect was applied. Find out first: after a requeue the effect may be applied twice.',
  effect_applied:
    'Its effect was applied, although the attempt failed. After a requeue it may be applied twice; purge it if nothing is left to do.',
};

const LOST = `Its worker process ended while it ran this job and no other, so the job is the likely cause: find out why the handler ends its process, ${SEND_BACK}.`;

/** @param lastEntry of the newest attempt: a job that ends its process is given up with the same reason as others. */
export function adviceFor(
  reason: ReasonCode | undefined,
  lastEntry: AttemptEntry | undefined,
): string {
  const isSpent = reason === 'max_attempts_exceeded' || reason === 'lease_lost';
  if (isSpent && lastEntry === 'lease_lost') return LOST;
  return (reason && ADVICE[reason]) ?? `Read the newest error, remove its cause, ${SEND_BACK}.`;
}
