import { MAX_DURATION_MS } from '../clock/clock.ts';
import { type FieldProblem, problem, resolveOptions, suggestName } from '../fields/check-fields.ts';
import { acceptEveryValue, POLICY_FIELDS } from './fields.ts';
import type { Policy, ResolvedPolicy } from './policy.ts';

/**
 * Resolved policies are known by their class: one comparison shows `retry` that nothing is left to check. A spread
 * copy is no instance, and is checked like any other literal.
 */
class DefinedPolicy {
  constructor(values: ResolvedPolicy) {
    Object.assign(this, values);
    Object.freeze(this);
  }
}

/**
 * A policy without time limits, breaker, dependency and `classifyResult`. Each call checks it, and `instanceof` is quick.
 */
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
  return complete(
    resolveOptions('policy', policy, POLICY_FIELDS, 'invalid_policy', contradictions, unknown),
  );
}

/** Other libraries count retries. */
function unknown(field: string, known: readonly string[]): FieldProblem {
  return /retries/i.test(field)
    ? { field, message: `${field} is unknown: use maxAttempts, which counts the first call too` }
    : suggestName(field, known);
}

/** Gets unchecked fields. A field that is wrong by itself has a problem of its own, and is ignored here. */
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

export function isPlain(policy: ResolvedPolicy): boolean {
  return policy instanceof PlainPolicy;
}

/** Adds the defaults that follow from other fields. */
function complete(values: Required<Policy>): ResolvedPolicy {
  const { id, jitter, baseDelayMs, delaysMs = [] } = values;
  const {
    name = id,
    maxDelayMs = Math.max(30_000, baseDelayMs, ...delaysMs),
    jitterAmount = jitter === 'proportional' ? 0.1 : 1,
  } = values as Policy; // These three have no default in the table.
  const isGuarded =
    values.attemptTimeoutMs < Infinity ||
    values.ttlMs < Infinity ||
    values.dependency ||
    values.classifyResult !== acceptEveryValue ||
    values.enableCircuitBreaker;
  const resolved = { ...values, name, maxDelayMs, jitterAmount };
  // It has the fields that it was given; they are not listed again for the compiler.
  return new (isGuarded ? DefinedPolicy : PlainPolicy)(resolved) as unknown as ResolvedPolicy;
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
  // Only a plain object certainly has no inherited fields; plain JavaScript may pass anything.
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
