import type { DatabaseSync } from 'node:sqlite';
import type { StoredPolicy } from '@redrive/durable/store';
import { type Statement, statement } from '../database/statement.ts';
import type { FoundPolicy } from '../reader/reader.ts';

export interface PolicyRow {
  readonly hash: string;
  readonly id: string;
  /** JSON. */
  readonly policy: string;
}

/** Every version of a policy that a decision has used. */
export class PolicyTable {
  readonly #insert: Statement;

  constructor(db: DatabaseSync) {
    this.#insert = statement(
      db,
      'INSERT INTO policies (hash, id, policy) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    );
  }

  register(policies: readonly PolicyRow[]): void {
    for (const { hash, id, policy } of policies) this.#insert.run(hash, id, policy);
  }
}

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
