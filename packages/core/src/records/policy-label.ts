import { definePolicy } from '../policy/define-policy.ts';
import { hashPolicy } from './policy-hash.ts';

/** The id of every policy without one. */
const UNNAMED = 'default';

/**
 * The name of a policy in records and figures: its id. A policy that was written without an id has its version hash
 * instead, so that different policies do not count as one; only the built-in defaults are `default`.
 */
export function policyLabel(id: string, hash: string): string {
  return id === UNNAMED && hash !== defaultHash() ? hash : id;
}

let known: string | undefined;

function defaultHash(): string {
  known ??= hashPolicy(definePolicy());
  return known;
}

const CATEGORY = /^RETRY_[A-Z0-9_]{1,122}$/;

/** The category of a policy: its id, where that is a category's code, such as `RETRY_KV_GET`. */
export function policyCategory(id: string): string | undefined {
  return CATEGORY.test(id) ? id : undefined;
}
