import type { DatabaseSync } from 'node:sqlite';
import { systemClock } from '@redrive/core';
import {
  MAX_DELETED_WORKERS,
  WORKER_KEPT_MS,
  type WorkerPageRequest,
  workerBounds,
} from '@redrive/durable/store';
import { DONE } from '../command/outcome.ts';
import { query, type Statement, statement } from '../database/statement.ts';

// The calls of workers on their way to the writer, where they commit together with everything else.

export type EncodedWorker =
  | readonly [
      kind: 'report_worker',
      name: string,
      running: number,
      isStopping: boolean,
      facts: string,
    ]
  | readonly [kind: 'forget_worker', name: string];

/** Workers that are alive, or were seen in the last day. */
export const WORKERS = `
  CREATE TABLE workers (
    name TEXT PRIMARY KEY,
    since INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    running INTEGER NOT NULL,
    stopping INTEGER NOT NULL,
    -- JSON of what never changes: last, because a report then leaves its pages as they are.
    facts TEXT NOT NULL
  ) STRICT;
`;

/** The workers, on the connection that writes, inside its transaction. */
export class WorkerTable {
  readonly #update: Statement;
  readonly #updateFacts: Statement;
  readonly #insert: Statement;
  readonly #delete: Statement;
  readonly #deleteOld: Statement;

  constructor(db: DatabaseSync) {
    this.#update = statement(
      db,
      'UPDATE workers SET seen_at = ?, running = ?, stopping = ? WHERE name = ?',
    );
    // Apart from the other columns: facts may be long, and seldom change.
    this.#updateFacts = statement(
      db,
      'UPDATE workers SET facts = ?1 WHERE name = ?2 AND facts <> ?1',
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
    if (Number(this.#update.run(nowMs, running, stopping, name).changes) > 0) {
      this.#updateFacts.run(facts, name);
      return DONE;
    }
    this.#deleteOld.run(nowMs - WORKER_KEPT_MS);
    this.#insert.run(name, nowMs, nowMs, running, stopping, facts);
    return DONE;
  }
}

export type WorkerRow = [
  name: string,
  since: number,
  seenAt: number,
  running: number,
  stopping: number,
  facts: string,
];

export interface FoundWorkers {
  readonly nowMs: number;
  readonly rows: readonly WorkerRow[];
}

export interface WorkersInput {
  readonly page: WorkerPageRequest;
  readonly nowMs?: number | undefined;
}

/** The tasks of the reading thread about workers. */
export function workerTasks(open: () => DatabaseSync) {
  return {
    workers: ({ page, nowMs = systemClock.now() }: WorkersInput): FoundWorkers => {
      const { after, take, seenFromMs } = workerBounds(page, nowMs);
      const found = query<WorkerRow>(
        open(),
        `SELECT name, since, seen_at, running, stopping, facts FROM workers
         WHERE name > ? AND seen_at >= ? ORDER BY name LIMIT ?`,
      );
      return { nowMs, rows: found.all(after, seenFromMs, take) };
    },
  };
}
