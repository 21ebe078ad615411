import type { DatabaseSync } from 'node:sqlite';
import type { Job } from '@redrive/durable';
import { MAX_EARLIER_PAYLOADS } from '@redrive/durable/store';
import { type Statement, statement } from '../database/statement.ts';

/** The payloads that edits have replaced: kept as long as the job, the newest ones. */
export class EarlierPayloads {
  readonly #insert: Statement;
  readonly #deleteOld: Statement;
  readonly #deleteAll: Statement;

  constructor(db: DatabaseSync) {
    this.#insert = statement(
      db,
      `INSERT INTO earlier_payloads (id, generation, replaced_at, replaced_by, payload)
       VALUES (?, ?, ?, ?, ?)`,
    );
    this.#deleteOld = statement(
      db,
      `DELETE FROM earlier_payloads WHERE id = ?1 AND generation NOT IN (
         SELECT generation FROM earlier_payloads WHERE id = ?1 ORDER BY generation DESC LIMIT ?2)`,
    );
    this.#deleteAll = statement(db, 'DELETE FROM earlier_payloads WHERE id = ?');
  }

  keep({ id, account, payload }: Job, nowMs: number, by: string): void {
    const value = payload.kind === 'json' ? payload.text : payload.bytes;
    this.#insert.run(id, account.generation, nowMs, by, value);
    this.#deleteOld.run(id, MAX_EARLIER_PAYLOADS);
  }

  /** The job goes. Only one that was requeued can have any. */
  remove(id: string, generation: number): void {
    if (generation > 1) this.#deleteAll.run(id);
  }
}
