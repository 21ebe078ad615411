import { MAX_DURATION_MS } from '../clock/clock.ts';
import { type FieldProblem, problem, resolveOptions } from '../fields/check-fields.ts';
import { acceptEveryValue, POLICY_FIELDS } from './fields.ts';
import type { Policy, ResolvedPolicy } from './policy.ts';

/**
 * Resolved policies are known by their class, which tells `retry` in one look that nothing is left to check. A spread
 * copy is no instance, and is checked like any other literal.
 */
class DefinedPolicy {
  constructor(values: ResolvedPolicy) {
    Object.assign(this, values);
    Object.freeze(this);
  }
}

/** Nothing in it can end an attempt from outside or must be told of a success. */
class PlainPolicy extends DefinedPolicy {}

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
  const values = resolveOptions(
    'policy',
    policy,
    POLICY_FIELDS,
    'invalid_policy',
    contradictions,
    meant,
  );
  const { id, jitter, baseDelayMs, delaysMs = [] } = values;
  const {
    name = id,
    maxDelayMs = Math.max(30_000, baseDelayMs, ...delaysMs),
    jitterAmount = jitter === 'proportional' ? 0.1 : 1,
  } = values as Policy; // These three have no default in the table.
  const resolved: ResolvedPolicy = { ...values, name, maxDelayMs, jitterAmount };
  const plain =
    resolved.attemptTimeoutMs === Infinity &&
    resolved.ttlMs === Infinity &&
    resolved.dependency === '' &&
    resolved.classifyResult === acceptEveryValue &&
    !resolved.enableCircuitBreaker;
  // It has the fields that it was given; they are not listed again for the compiler.
  return new (plain ? PlainPolicy : DefinedPolicy)(resolved) as unknown as ResolvedPolicy;
}

/** Other libraries count retries. */
function meant(name: string): string | undefined {
  return /retries/i.test(name) ? 'use maxAttempts, which counts the first call too' : undefined;
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

/** Whether a policy is already resolved (by this copy of the package). */
export function isDefined(policy: Policy): policy is ResolvedPolicy {
  return policy instanceof DefinedPolicy;
}

/** Whether a resolved policy has nothing that can end an attempt from outside or must be told of a success. */
export function isPlain(policy: ResolvedPolicy): boolean {
  return policy instanceof PlainPolicy;
}

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
