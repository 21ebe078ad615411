import type { DatabaseSync } from 'node:sqlite';
import { MAX_DELETED_WORKERS, WORKER_KEPT_MS } from '@redrive/durable/store';
import { DONE } from '../command/outcome.ts';
import { type Statement, statement } from '../database/statement.ts';
import type { EncodedWorker } from './encoded-worker.ts';

/** The workers, on the connection that writes, inside its transaction. */
export class WorkerTable {
  readonly #update: Statement;
  readonly #insert: Statement;
  readonly #delete: Statement;
  readonly #deleteOld: Statement;

  constructor(db: DatabaseSync) {
    this.#update = statement(
      db,
      'UPDATE workers SET seen_at = ?, running = ?, stopping = ? WHERE name = ?',
    );
    this.#insert = statement(
      db,
      'INSERT INTO workers (name, since, seen_at, running, stopping, facts) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#delete = statement(db, 'DELETE FROM workers WHERE name = ?');
    this.#deleteOld = statement(
      db,
      `DELETE FROM workers WHERE name IN (
         SELECT name FROM workers WHERE seen_at < ? LIMIT ${MAX_DELETED_WORKERS})`,
    );
  }

  carryOut(command: EncodedWorker, nowMs: number): typeof DONE {
    if (command[0] === 'forget_worker') {
      this.#delete.run(command[1]);
      return DONE;
    }
    const [, name, running, isStopping, facts] = command;
    const stopping = isStopping ? 1 : 0;
    if (Number(this.#update.run(nowMs, running, stopping, name).changes) > 0) return DONE;
    this.#deleteOld.run(nowMs - WORKER_KEPT_MS);
    this.#insert.run(name, nowMs, nowMs, running, stopping, facts);
    return DONE;
  }
}
