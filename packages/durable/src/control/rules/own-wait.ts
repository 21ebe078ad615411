import type { Decision } from '@redrive/core';

/**
 * The retry delay of a decision, for the account. A parked item has none: it waits for its cause, and the delay of the
 * decision is only the longest time, which would use up all free waits at once. But with an empty budget the delay is the
 * item's own.
 */
export function ownWaitMs({
  action,
  reason,
  delayMs = 0,
}: Pick<Decision, 'action' | 'reason'> & {
  readonly delayMs?: number | undefined;
}): number | undefined {
  if (action === 'park') return reason === 'budget_exhausted' ? delayMs : undefined;
  return action === 'give-up' ? 0 : delayMs;
}
