import { problem, resolveOptions } from '../fields/check-fields.ts';
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
    capBelowBase,
    meant,
  );
  const { id, jitter, baseDelayMs } = values;
  const {
    name = id,
    maxDelayMs = Math.max(30_000, baseDelayMs),
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

function capBelowBase({ baseDelayMs: base, maxDelayMs: cap }: Readonly<Record<string, unknown>>) {
  return typeof cap === 'number' && typeof base === 'number' && cap >= 0 && cap < base
    ? problem('maxDelayMs', `at least baseDelayMs, ${base}`, cap)
    : undefined;
}

/** Whether a policy is already resolved (by this copy of the package). */
export function isDefined(policy: Policy): policy is ResolvedPolicy {
  return policy instanceof DefinedPolicy;
}

/** Whether a resolved policy has nothing that can end an attempt from outside or must be told of a success. */
export function isPlain(policy: ResolvedPolicy): boolean {
  return policy instanceof PlainPolicy;
}
