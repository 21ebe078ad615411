import { canonicalJson } from '../idempotency/canonical-json.ts';
import { sha256 } from '../idempotency/sha256.ts';
import { acceptEveryValue } from '../policy/fields.ts';

const hashes = /* @__PURE__ */ new WeakMap<object, string>();

/**
 * Version hash of a policy: SHA-256 of its canonical JSON, in hex. Two policies with the same values have the same hash,
 * on every machine. A function or class stands there by its name, so a changed predicate keeps the hash unless it is
 * renamed, and a bundler that renames it changes the hash. Computed once per object: give it resolved (frozen) policies.
 */
export function hashPolicy(policy: object): string {
  const known = hashes.get(policy);
  if (known !== undefined) return known;
  const hash = sha256(canonicalJson(plain(policy)));
  hashes.set(policy, hash);
  return hash;
}

/** A text for each value that canonical JSON refuses: functions, infinities, large integers, patterns. */
function plain(value: unknown): unknown {
  // A default must not change the hash when a bundler renames it.
  if (value === acceptEveryValue) return undefined;
  if (typeof value === 'function') return `function ${value.name}`;
  if (typeof value === 'number') return Math.abs(value) < 2 ** 53 ? value : String(value);
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof RegExp) return String(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]));
}
