import { policyCategory, policyLabel } from '@redrive/core/stored';
import type { Store } from '../store/store.ts';

/** What figures call a policy. Versions of one policy are one policy here. */
export interface PolicyName {
  readonly policy: string;
  /** `''`: none. */
  readonly category: string;
}

/** A policy or a handler that the log does not name. */
export const UNKNOWN = 'unknown';
/** Of a job that has had no attempt. */
export const NO_POLICY: PolicyName = { policy: UNKNOWN, category: '' };

/** Policies that are remembered by their hash. */
const MAX_KNOWN = 10_000;

/** Finds the names of policies. Records of jobs have hashes; people know ids. */
export class PolicyNames {
  readonly #store: Pick<Store, 'policy'>;
  readonly #known = new Map<string, PolicyName>();

  constructor(store: Pick<Store, 'policy'>) {
    this.#store = store;
  }

  /** Reads the names of these hashes, before `of` is asked for them. */
  async know(hashes: Iterable<string>): Promise<void> {
    if (this.#known.size > MAX_KNOWN) this.#known.clear();
    for (const hash of hashes) {
      if (this.#known.has(hash)) continue;
      const id = (await this.#store.policy(hash))?.id;
      this.#known.set(hash, nameOf(id ? policyLabel(id, hash) : UNKNOWN));
    }
  }

  of(hash: string): PolicyName {
    return this.#known.get(hash) ?? NO_POLICY;
  }
}

/** The name of a policy that the log names by its id. */
export function nameOf(policy: string): PolicyName {
  return { policy, category: policyCategory(policy) ?? '' };
}
