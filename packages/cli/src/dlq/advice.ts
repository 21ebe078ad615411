import type { AttemptEntry, ReasonCode } from '@redrive/core';

const SEND_BACK = 'then send it back';

/** What to do about a dead letter, by the reason that it was given up for. Reasons that are not here: look at the error. */
const ADVICE: Partial<Readonly<Record<ReasonCode, string>>> = {
  final_error: `Trying again as it is cannot help: remove what the error names, or edit the payload, ${SEND_BACK}.`,
  max_attempts_exceeded: `Every attempt failed: see that what it talks to works again, ${SEND_BACK}.`,
  allowance_exhausted: `Other calls in the same attempt used up its retries: see that what it talks to works again, ${SEND_BACK}.`,
  inner_gave_up: `A session inside it has given up: see to that one first, ${SEND_BACK}.`,
  policy_disabled: `Its policy allows one attempt only: switch the policy on, or send it back by hand.`,
  ttl_exceeded: 'Its time was up. Sent back, it has no deadline, unless you throw it away instead.',
  beyond_horizon: `The wait would have been too long: see that what it talks to works again, ${SEND_BACK}.`,
  budget_exhausted: `What it talks to failed too often for retries to help: see that it works again, ${SEND_BACK}.`,
  breaker_open: `The circuit breaker of what it talks to is open: see that it works again, ${SEND_BACK}.`,
  effect_unknown:
    'Nobody knows whether it had its effect. Find that out first: sent back, it may happen twice.',
  effect_applied:
    'It had its effect, although it failed. Sent back, it may happen twice; throw it away if it is done.',
};

const LOST = `Its process died each time it ran alone: look at what the handler does to its process, ${SEND_BACK}.`;

/** @param lastEntry of the newest attempt: a job that ends its process is given up with the same reason as others. */
export function adviceFor(
  reason: ReasonCode | undefined,
  lastEntry: AttemptEntry | undefined,
): string {
  const isSpent = reason === 'max_attempts_exceeded' || reason === 'lease_lost';
  if (isSpent && lastEntry === 'lease_lost') return LOST;
  return (reason && ADVICE[reason]) ?? `Look at the newest error, remove its cause, ${SEND_BACK}.`;
}
