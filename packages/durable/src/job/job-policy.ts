import { definePolicy, type Policy, RedriveError, type ResolvedPolicy } from '@redrive/core';
import { hashPolicy } from '@redrive/core/records';

/** The policy of one job as it is stored: its fields as they were given, without those that have their default. */
export type JobPolicy = Readonly<Record<string, unknown>>;

const DEFAULTS: ResolvedPolicy = /* @__PURE__ */ definePolicy();

/** Fields that no attempt of a job depends on. */
const UNUSED: readonly string[] = ['name', 'description', 'horizonMs'] satisfies (keyof Policy)[];

const MAX_LENGTH = 4_000;

/**
 * The policy of one job, checked like every policy.
 *
 * @throws RedriveError `invalid_policy` with every problem at once. A function cannot be stored, so it is one.
 */
export function jobPolicyOf(given: Policy): JobPolicy {
  const resolved = definePolicy(given);
  const fields = Object.entries(resolved).filter(
    ([name, value]) => !UNUSED.includes(name) && !isDefault(name, value, resolved),
  );
  const functions = fields
    .filter(([, value]) => [value].flat().some((each) => typeof each === 'function'))
    .map(([field]) =>
      wrong(field, `${field} cannot have functions: they are not stored with a job`),
    );
  const policy: JobPolicy = Object.fromEntries(fields);
  const { length } = JSON.stringify(policy);
  const problems =
    length > MAX_LENGTH
      ? [...functions, wrong('it', `it may have ${MAX_LENGTH} characters as JSON, not ${length}`)]
      : functions;
  if (problems.length === 0) return policy;
  const text = problems.map(({ message }) => message).join('; ');
  throw new RedriveError('invalid_policy', `Invalid policy: ${text}.`, { problems });
}

const wrong = (field: string, message: string) => ({ field, message });

function isDefault(name: string, value: unknown, { jitter }: ResolvedPolicy): boolean {
  // Its default depends on the kind of jitter.
  if (name === 'jitterAmount' && jitter !== DEFAULTS.jitter) return false;
  const common: unknown = DEFAULTS[name as keyof Policy]; // A name of a policy's field.
  if (Array.isArray(value)) return Array.isArray(common) && value.length === 0;
  return value === common;
}

/** Policies are few, and jobs are many. */
const MAX_KNOWN = 1_000;
const known = /* @__PURE__ */ new Map<string, ResolvedPolicy>();

/** The same object for the same fields. @throws RedriveError `invalid_policy`: written by another version. */
export function resolveJobPolicy(fields: JobPolicy): ResolvedPolicy {
  const key = JSON.stringify(fields);
  let policy = known.get(key);
  if (policy === undefined) {
    policy = definePolicy(fields as Policy); // `definePolicy` checks it.
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, policy);
  }
  return policy;
}

/** Version hash of a job's own policy, as the record of its enqueue has it. `invalid`: a row that somebody has changed. */
export function jobPolicyHash(fields: JobPolicy | undefined): string | undefined {
  if (fields === undefined) return undefined;
  try {
    return hashPolicy(resolveJobPolicy(fields));
  } catch {
    return 'invalid';
  }
}
