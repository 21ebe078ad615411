import type { Decision } from '@redrive/core';

/**
 * The wait that the account remembers of a decision. What is parked waits until its cause is gone, however long that
 * takes, and has no wait of its own: its delay is the longest that it may last, which would use up all free waits at
 * once. But where only the budget is empty, the delay is the item's own.
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
