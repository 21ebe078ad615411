import { RedriveError } from '../errors/redrive-error.ts';
import { acceptEveryValue, type FieldRule, POLICY_FIELDS } from './fields.ts';
import type { Policy, ResolvedPolicy } from './policy.ts';

/** A finding about one field of a policy. */
export interface PolicyProblem {
  readonly field: string;
  readonly message: string;
}

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
  const problems = policyProblems(policy);
  if (problems.length > 0) {
    const messages = problems.map(({ message }) => message).join('; ');
    throw new RedriveError('invalid_policy', `Invalid policy: ${messages}.`, { problems });
  }
  const values: Record<string, unknown> = {};
  for (const [field, { fallback, derive }] of Object.entries(POLICY_FIELDS)) {
    // What is derived follows from fields above it, which are there by now.
    const byDefault = derive === undefined ? fallback : derive(values as unknown as ResolvedPolicy);
    values[field] = policy[field as keyof Policy] ?? byDefault;
  }
  // The table has every field, which the compiler cannot see through a loop.
  return new DefinedPolicy(values as unknown as ResolvedPolicy) as unknown as ResolvedPolicy;
}

/** Whether a policy is already resolved (by this copy of the package). */
export function isDefined(policy: Policy): policy is ResolvedPolicy {
  return Object(policy) === policy && DefinedPolicy.isPlain(policy) !== undefined;
}

/** Whether a resolved policy has nothing that can end an attempt from outside or must be told of a success. */
export function isPlain(policy: ResolvedPolicy): boolean {
  return DefinedPolicy.isPlain(policy) === true;
}

/** Everything that is wrong with a policy; empty when nothing is. */
export function policyProblems(policy: Policy): PolicyProblem[] {
  const problems: PolicyProblem[] = [];
  if (Object(policy) !== policy)
    problems.push({ field: '', message: `must be an object, not ${policy}` });
  for (const [field, value] of Object.entries(policy ?? {})) {
    const rule = Object.hasOwn(POLICY_FIELDS, field)
      ? POLICY_FIELDS[field as keyof Policy]
      : undefined;
    if (rule === undefined) {
      const known = Object.keys(POLICY_FIELDS).join(', ');
      problems.push({ field, message: `unknown field ${field} (known are ${known})` });
    } else if (value !== undefined && !obeys(value, rule)) {
      problems.push({ field, message: `${field} must be ${describe(rule)}, not ${show(value)}` });
    }
  }
  const { baseDelayMs = 1_000, maxDelayMs = Infinity } = policy ?? {};
  if (maxDelayMs < baseDelayMs) {
    const message = `maxDelayMs (${maxDelayMs}) must be at least baseDelayMs (${baseDelayMs})`;
    problems.push({ field: 'maxDelayMs', message });
  }
  return problems;
}

function obeys(
  value: unknown,
  { kind, min = 0, max = 0, whole, choices, entries }: FieldRule,
): boolean {
  if (entries !== undefined) {
    const isList = Array.isArray(value) || entries.length === 1;
    return isList && [value].flat().every((entry) => entries.includes(typeof entry));
  }
  if (typeof value === 'number') {
    return kind === 'number' && value >= min && value <= max && (!whole || Number.isInteger(value));
  }
  return typeof value === kind && (choices === undefined || choices.includes(String(value)));
}

function describe({ kind, min, max, whole, choices, entries }: FieldRule): string {
  if (entries !== undefined) return `a list of ${entries.join(' or ')} entries`;
  if (choices !== undefined) return `one of ${choices.join(', ')}`;
  return kind === 'number' ? `a ${whole ? 'whole ' : ''}number from ${min} to ${max}` : `a ${kind}`;
}

function show(value: unknown): string {
  return typeof value === 'object'
    ? 'an object'
    : typeof value === 'string'
      ? `"${value}"`
      : String(value);
}
