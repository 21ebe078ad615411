import { definePolicy, type Policy, RedriveError, type ResolvedPolicy } from '@redrive/core';
import type { Notice } from './notice.ts';

/** The option `policies`: finds a policy by its name. Application code, so it may answer anything, or throw. */
export type FindPolicy = (id: string) => Policy | undefined;

/** Older names are forgotten, and looked up anew when they are used again. */
const MAX_NAMES = 1_000;

interface Found {
  /** A copy of the answer: an object that the application changes later is another policy. */
  readonly answer: Readonly<Record<string, unknown>>;
  readonly policy: ResolvedPolicy;
}

/**
 * The policies that the application knows by name, each checked and with its defaults. While the answer for a name is
 * bad, the last good one stays in force, and a notice says so: once until the answer changes.
 */
export class ConfiguredPolicies {
  readonly #find: FindPolicy | undefined;
  readonly #notify: (notice: Notice) => void;
  readonly #good = new Map<string, Found>();
  /** The problem of the present answer, by name. */
  readonly #bad = new Map<string, string>();

  constructor(find: FindPolicy | undefined, notify: (notice: Notice) => void) {
    this.#find = find;
    this.#notify = notify;
  }

  /** The policy of this name. `undefined`: there is none, or there was never a good one. */
  get(id: string): ResolvedPolicy | undefined {
    try {
      const answer: unknown = this.#find?.(id) ?? undefined;
      const policy = answer === undefined ? undefined : this.#policyOf(id, answer);
      this.#bad.delete(id);
      return policy;
    } catch (error) {
      this.#report(id, error);
      return this.#good.get(id)?.policy;
    }
  }

  /** The problem of the last answer for this name. */
  problemOf(id: string): string | undefined {
    return this.#bad.get(id);
  }

  #policyOf(id: string, answer: unknown): ResolvedPolicy {
    const last = this.#good.get(id);
    if (last !== undefined && isSame(last.answer, answer)) return last.policy;
    refuseOtherObjects(id, answer);
    const given = answer as Policy; // `definePolicy` checks it.
    const policy = definePolicy(Object.hasOwn(given, 'id') ? given : { ...given, id });
    if (this.#good.size >= MAX_NAMES) this.#good.clear();
    this.#good.set(id, { answer: { ...given }, policy });
    return policy;
  }

  #report(id: string, error: unknown): void {
    const problem = error instanceof Error ? error.message : String(error);
    if (this.#bad.get(id) === problem) return;
    if (this.#bad.size >= MAX_NAMES) this.#bad.clear();
    this.#bad.set(id, problem);
    this.#notify({ kind: 'invalid_policy', policy: id, error });
  }
}

/** A promise, a list or a map has no fields of a policy, and would pass for one that leaves everything out. */
function refuseOtherObjects(id: string, answer: unknown): void {
  if (typeof answer === 'object' && answer !== null) {
    if (Object.keys(answer).length > 0 || answer.constructor === Object) return;
  }
  // Our caller cannot handle its rejection.
  if (answer instanceof Promise) answer.catch(() => {});
  const type = Object(answer) === answer ? Object(answer).constructor?.name : typeof answer;
  throw new RedriveError(
    'invalid_policy',
    `policies(${JSON.stringify(id)}) must answer with a policy or undefined, not with a ${type}`,
    { policy: id },
  );
}

/** Whether an answer has the same fields with the same values. A literal is a new object each time. */
function isSame(last: Readonly<Record<string, unknown>>, answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false;
  const fields = Object.entries(answer);
  return (
    fields.length === Object.keys(last).length &&
    fields.every(([field, value]) => Object.hasOwn(last, field) && last[field] === value)
  );
}
