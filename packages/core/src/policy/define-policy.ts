import { RedriveError } from '../errors/redrive-error.ts';
import { type FieldRule, POLICY_FIELDS } from './fields.ts';
import type { Policy, ResolvedPolicy } from './policy.ts';

/** A finding about one field of a policy. */
export interface PolicyProblem {
  readonly field: string;
  readonly message: string;
}

/** The type of a resolved policy's object: an `instanceof` tells `retry` that nothing is left to check. */
class DefinedPolicy {
  constructor(values: object) {
    Object.assign(this, values);
    Object.freeze(this);
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
    throw new RedriveError(
      'invalid_policy',
      `Invalid policy: ${problems.map(({ message }) => message).join('; ')}.`,
      { problems },
    );
  }
  // DefinedPolicy's fields are those of the literal below; its type cannot be spelled without listing them again.
  return new DefinedPolicy(withDefaults(policy)) as ResolvedPolicy;
}

/** Whether a policy is already resolved (by this copy of the package). */
export function isDefined(policy: Policy): policy is ResolvedPolicy {
  return policy instanceof DefinedPolicy;
}

function withDefaults(policy: Policy): ResolvedPolicy {
  const id = policy.id ?? 'default';
  const jitter = policy.jitter ?? 'proportional';
  const baseDelayMs = policy.baseDelayMs ?? 1_000;
  return {
    id,
    name: policy.name ?? id,
    description: policy.description ?? '',
    enabled: policy.enabled ?? true,
    maxAttempts: policy.maxAttempts ?? 3,
    backoff: policy.backoff ?? 'exponential',
    baseDelayMs,
    maxDelayMs: policy.maxDelayMs ?? Math.max(30_000, baseDelayMs),
    multiplier: policy.multiplier ?? 2,
    immediateFirstRetry: policy.immediateFirstRetry ?? false,
    jitter,
    jitterAmount: policy.jitterAmount ?? (jitter === 'proportional' ? 0.1 : 1),
    attemptTimeoutMs: policy.attemptTimeoutMs ?? Infinity,
    ttlMs: policy.ttlMs ?? Infinity,
    horizonMs: policy.horizonMs ?? 600_000,
    dependency: policy.dependency ?? '',
    enableCircuitBreaker: policy.enableCircuitBreaker ?? false,
    circuitBreakerThreshold: policy.circuitBreakerThreshold ?? 5,
    circuitBreakerTimeoutMs: policy.circuitBreakerTimeoutMs ?? 60_000,
    retryableExceptions: policy.retryableExceptions ?? NONE,
    nonRetryableExceptions: policy.nonRetryableExceptions ?? NONE,
    classify: policy.classify ?? NONE,
    classifyResult: policy.classifyResult ?? acceptEveryValue,
    retryInnerFailures: policy.retryInnerFailures ?? false,
    maxFreeWaits: policy.maxFreeWaits ?? 100,
    maxFreeWaitMs: policy.maxFreeWaitMs ?? 86_400_000,
  };
}

const NONE: readonly never[] = Object.freeze([]);

/** The default of `classifyResult`. The runner knows it by identity and then does not ask. */
export const acceptEveryValue = (): undefined => undefined;

/** Everything that is wrong with a policy; empty when nothing is. */
export function policyProblems(policy: Policy): PolicyProblem[] {
  if (typeof policy !== 'object' || policy === null) {
    return [{ field: '', message: `a policy must be an object, not ${show(policy)}` }];
  }
  const problems: PolicyProblem[] = [];
  const rules: Readonly<Record<string, FieldRule>> = POLICY_FIELDS;
  for (const [field, value] of Object.entries(policy)) {
    const rule = Object.hasOwn(rules, field) ? rules[field] : undefined;
    if (rule === undefined) {
      problems.push({ field, message: `unknown field ${field} (known: ${Object.keys(rules).join(', ')})` });
    } else if (value !== undefined && !obeys(rule, value)) {
      problems.push({ field, message: `${field} must be ${expectation(rule)}, not ${show(value)}` });
    }
  }
  const { baseDelayMs = 1_000, maxDelayMs } = policy;
  if (problems.length === 0 && maxDelayMs !== undefined && maxDelayMs < baseDelayMs) {
    const message = `maxDelayMs must be at least baseDelayMs (${baseDelayMs}), not ${maxDelayMs}`;
    problems.push({ field: 'maxDelayMs', message });
  }
  return problems;
}

function obeys(rule: FieldRule, value: unknown): boolean {
  switch (rule.kind) {
    case 'integer':
    case 'number':
      // NaN fails both comparisons.
      return (
        typeof value === 'number' &&
        value >= rule.min &&
        value <= rule.max &&
        (rule.kind === 'number' || Number.isInteger(value))
      );
    case 'choice':
      return typeof value === 'string' && rule.values.includes(value);
    case 'matchers':
      return Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'function');
    case 'classifiers':
      return [value].flat().every((one) => typeof one === 'function');
    default:
      return typeof value === rule.kind;
  }
}

function expectation(rule: FieldRule): string {
  switch (rule.kind) {
    case 'integer':
      return `a whole number from ${rule.min} to ${rule.max}`;
    case 'number':
      return rule.min === Number.MIN_VALUE
        ? `a number above 0, at most ${rule.max}`
        : `a number from ${rule.min} to ${rule.max}`;
    case 'choice':
      return `one of ${rule.values.join(', ')}`;
    case 'matchers':
      return 'a list of names, error classes or predicates';
    case 'classifiers':
      return 'a function or a list of functions';
    default:
      return `a ${rule.kind}`;
  }
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'function' || (typeof value === 'object' && value !== null)
    ? `a ${typeof value}`
    : String(value);
}
