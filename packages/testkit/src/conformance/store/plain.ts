import { deepEqual } from 'node:assert/strict';

/**
 * A value without what stores may do differently: a field that is absent or `undefined`, and bytes in a subclass of
 * `Uint8Array`.
 */
export function plain<T>(value: T): T {
  // The same shape, as far as a reader of the types can tell.
  return plainOf(value) as T;
}

function plainOf(value: unknown): unknown {
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, plainOf(field)]));
}

export function same(actual: unknown, expected: unknown, message?: string): void {
  deepEqual(plainOf(actual), plainOf(expected), message);
}
