import { MAX_DURATION_MS } from '../clock/clock.ts';
import { readOptions, suggestName } from '../fields/check-fields.ts';
import { type FieldProblem, problem } from '../fields/problem.ts';
import { POLICY_FIELDS } from './fields.ts';
import type { Policy, ResolvedPolicy } from './policy.ts';
import { complete, isDefined } from './resolve-policy.ts';

/**
 * Resolves defaults and validates, once. Give the result to `retry` as often as you like: it is frozen, and calls with
 * it are the fastest ones.
 *
 * ```ts
 * const policy = definePolicy({ maxAttempts: 5, baseDelayMs: 200, jitter: 'full' });
 * ```
 *
 * @throws RedriveError `invalid_policy` with every problem at once, in the message and in `details.problems`.
 */
export function definePolicy(policy: Policy = {}): ResolvedPolicy {
  if (isDefined(policy)) return policy;
  return complete(
    readOptions('policy', policy, POLICY_FIELDS, 'invalid_policy', unknown, contradictions),
  );
}

/** Other libraries count retries. */
function unknown(field: string, known: readonly string[]): FieldProblem {
  return /retries/i.test(field)
    ? { field, message: `${field} is unknown: use maxAttempts, which counts the first call too` }
    : suggestName(field, known);
}

/** Sees fields before they are known to be right: about a field that is wrong by itself it says nothing. */
function contradictions(fields: Readonly<Record<string, unknown>>): FieldProblem | undefined {
  const { backoff, baseDelayMs: base, maxDelayMs: cap = Infinity, delaysMs } = fields;
  // The table has made it a list.
  const delays = (delaysMs ?? (backoff === 'schedule' ? [] : [0])) as readonly unknown[];
  if (![base, cap, ...delays].every((value) => typeof value === 'number')) return undefined;
  const most = Number(cap);
  if (!(most >= 0)) return undefined;
  if (most < Number(base)) return problem('maxDelayMs', `at least baseDelayMs, ${base}`, cap);
  return delays.every(
    (delay) => Number(delay) >= 0 && Number(delay) <= Math.min(most, MAX_DURATION_MS),
  ) &&
    delays.length > 0 &&
    delays.length < 33
    ? undefined
    : problem('delaysMs', '1 to 32 numbers up to maxDelayMs', delaysMs);
}
