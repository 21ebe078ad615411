import { isRedriveError } from '../errors/redrive-error.ts';
import { fields } from './causes.ts';
import type { Classification } from './classification.ts';
import { hintOf } from './hints.ts';
import { meaning } from './meaning.ts';
import { isProgrammerError } from './programmer-error.ts';
import { classifyStatus, statusOf } from './status.ts';

/** Whether this very error is what a session of Redrive gave up with. */
export function isGiveUp(error: unknown): boolean {
  return fields(error).code === 'retry_gave_up';
}

/**
 * The nearest hint among the causes. Redrive's own errors are passed over: an open breaker says when to come back, but
 * that is no rate limit of the other side.
 */
export function hintIn(causes: readonly unknown[], nowMs: number): number | undefined {
  for (const each of causes) {
    const hint = isGiveUp(each) || isRedriveError(each) ? undefined : hintOf(each, nowMs);
    if (hint !== undefined) return hint;
  }
  return undefined;
}

/** What `retry` knows by itself, without a table. */
export function builtIn(
  causes: readonly unknown[],
  hint: number | undefined,
): Classification | undefined {
  for (const each of causes) {
    const status = statusOf(each);
    if (status) return classifyStatus(status, hint !== undefined);
    if (isRedriveError(each) && !isGiveUp(each)) {
      // Whether it had an effect is not known; of the others it is known that it had none.
      if (/timeout|unavailable|lost/.test(each.code)) return meaning('retryable');
      return meaning(/bulkhead|progress/.test(each.code) ? 'retryable' : 'final', 'none');
    }
  }
  // Asked to stay away is all that is known of it.
  if (hint !== undefined) return meaning('rate_limited');
  return causes.some(isProgrammerError) ? meaning('final') : undefined;
}
