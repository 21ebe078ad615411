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
  // Only of a plain object can be said that it has no other fields than its own; plain JavaScript may pass anything.
  if (policy?.constructor !== Object) return definePolicy(policy);
  for (const memory of memories) {
    if (isSame(policy, memory)) return memory.resolved;
  }
  const resolved = definePolicy(policy);
  const fields: Record<string, unknown> = { ...policy };
  for (const field in fields) {
    // The copy in the resolved policy: an entry that is added to the caller's list must not be added here too.
    if (Array.isArray(fields[field])) fields[field] = resolved[field as keyof Policy];
  }
  memories[oldest] = { fields, count: Object.keys(fields).length, resolved };
  oldest = (oldest + 1) % MAX_MEMORIES;
  return resolved;
}

function isSame(policy: Policy, { fields, count }: Memory): boolean {
  let matching = 0;
  for (const field in policy) {
    const value = policy[field as keyof Policy];
    if (fields[field] !== value && !isSameList(fields[field], value)) return false;
    matching++;
  }
  return matching === count;
}

function isSameList(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return false;
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}
