import { definePolicy, isDefined } from './define-policy.ts';
import type { Policy, ResolvedPolicy } from './policy.ts';

interface Memory {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly count: number;
  readonly resolved: ResolvedPolicy;
}

const memories: Memory[] = [];
const MAX_MEMORIES = 8;
let oldest = 0;

/**
 * Resolves a policy that is written out at the call: `retry(fn, { maxAttempts: 5 })`. Such a literal is a new object
 * each time, so it is recognised by its values. A changed or misspelt field is a different policy and is looked at anew.
 */
export function recallPolicy(policy: Policy): ResolvedPolicy {
  if (isDefined(policy)) return policy;
  for (const memory of memories) {
    if (isSame(policy, memory)) return memory.resolved;
  }
  const resolved = definePolicy(policy);
  memories[oldest] = { fields: { ...policy }, count: Object.keys(policy).length, resolved };
  oldest = (oldest + 1) % MAX_MEMORIES;
  return resolved;
}

function isSame(policy: Policy, { fields, count }: Memory): boolean {
  let matching = 0;
  for (const field in policy) {
    if (fields[field] !== policy[field as keyof Policy]) return false;
    matching++;
  }
  return matching === count;
}
