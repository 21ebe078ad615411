import { problem, refuse, resolveOptions } from '../fields/check-fields.ts';
import { acceptEveryValue, POLICY_FIELDS } from './fields.ts';
import type { Policy, ResolvedPolicy } from './policy.ts';

/**
 * The class of resolved policies. Its private field tells `retry` in one look that nothing is left to check, and that
 * nothing in the policy needs guarding; a spread copy does not have it, and is checked like any other literal.
 */
class DefinedPolicy {
  readonly #plain: boolean;

  constructor(values: ResolvedPolicy) {
    this.#plain =
      values.attemptTimeoutMs === Infinity &&
      values.ttlMs === Infinity &&
      values.dependency === '' &&
      values.classifyResult === acceptEveryValue &&
      !values.enableCircuitBreaker;
    Object.assign(this, values);
    Object.freeze(this);
  }

  static isPlain(policy: object): boolean | undefined {
    return #plain in policy ? policy.#plain : undefined;
  }
}

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
  const values = resolveOptions('policy', policy, POLICY_FIELDS, 'invalid_policy');
  const { id, jitter, baseDelayMs } = values;
  const {
    name = id,
    maxDelayMs = Math.max(30_000, baseDelayMs),
    jitterAmount = jitter === 'proportional' ? 0.1 : 1,
  } = values as Policy; // These three have no default in the table.
  if (maxDelayMs < baseDelayMs) {
    refuse('invalid_policy', 'policy', [
      problem('maxDelayMs', `at least baseDelayMs, ${baseDelayMs}`, maxDelayMs),
    ]);
  }
  // It has the fields that it was given; they are not listed again for the compiler.
  return new DefinedPolicy({
    ...values,
    name,
    maxDelayMs,
    jitterAmount,
  }) as unknown as ResolvedPolicy;
}

/** Whether a policy is already resolved (by this copy of the package). */
export function isDefined(policy: Policy): policy is ResolvedPolicy {
  return (
    typeof policy === 'object' && policy !== null && DefinedPolicy.isPlain(policy) !== undefined
  );
}

/** Whether a resolved policy has nothing that can end an attempt from outside or must be told of a success. */
export function isPlain(policy: ResolvedPolicy): boolean {
  return DefinedPolicy.isPlain(policy) === true;
}
