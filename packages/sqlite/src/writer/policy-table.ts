import type { DatabaseSync } from 'node:sqlite';
import { type Statement, statement } from '../database/statement.ts';

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
