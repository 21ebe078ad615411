import type { StoredPolicy } from '@redrive/durable/store';
import type { FoundPolicy } from '../reader/reader.ts';
import type { PolicyRow } from '../writer/policy-table.ts';

/** JSON has no Infinity and writes null; nothing in a policy is ever null, so null is read as Infinity. */
export function encodePolicy({ hash, id, policy }: StoredPolicy): PolicyRow {
  return { hash, id, policy: JSON.stringify(policy) };
}

/** `undefined`: it cannot be read, and so it is not known. */
export function decodePolicy(hash: string, { id, policy }: FoundPolicy): StoredPolicy | undefined {
  const revive = (_: string, value: unknown): unknown => (value === null ? Infinity : value);
  try {
    // Written by encodePolicy.
    return { hash, id, policy: JSON.parse(policy, revive) as StoredPolicy['policy'] };
  } catch {
    return undefined;
  }
}
