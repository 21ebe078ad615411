import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { ManyRows } from '../database/many-rows.ts';
import type { FastPaths } from '../fast-paths.ts';
import type { Step } from './step.ts';

const CHANGED = `revision = revision + 1, token = token + 1, lease_until = NULL, lease = NULL`;

/** Settles jobs without keys and deadlines, many rows per statement. The statements touch only the indexes that they must. */
export class UniformSettlements {
  readonly finish: ManyRows;
  readonly repeat: ManyRows;

  constructor(db: DatabaseSync, { settledRows }: FastPaths) {
    const row = (own: readonly string[]): string => `(${own.join(', ')})`;
    this.finish = new ManyRows(db, {
      sizes: settledRows,
      shared: 4,
      own: 3,
      row,
      sql: (
        rows,
      ) => `UPDATE jobs SET ${CHANGED}, state = ?1, audit_block = ?2, finished_at = ?3, finished_as = ?1,
          life = ?4, attempts = settled.column2, result = settled.column3
        FROM (VALUES ${rows}) AS settled WHERE jobs.n = settled.column1`,
    });
    this.repeat = new ManyRows(db, {
      sizes: settledRows,
      shared: 1,
      own: 6,
      row,
      sql: (
        rows,
      ) => `UPDATE jobs SET ${CHANGED}, state = settled.column2, audit_block = ?1, life = settled.column3,
          attempts = settled.column4, ready_lane = settled.column5, due_at = settled.column6
        FROM (VALUES ${rows}) AS settled WHERE jobs.n = settled.column1`,
    });
  }
}

/** Collects the uniform settlements of one transaction, and writes many of them at a time. */
export class PendingSettlements {
  readonly #statements: UniformSettlements;
  readonly #step: Step;
  #to = 0;
  #life = '';
  #finished: SQLInputValue[] = [];
  #repeated: SQLInputValue[] = [];

  constructor(statements: UniformSettlements, step: Step) {
    this.#statements = statements;
    this.#step = step;
  }

  finish(
    n: number,
    to: number,
    life: string,
    attempts: string | null,
    result: string | null,
  ): void {
    if (to !== this.#to || life !== this.#life) {
      this.#writeFinished();
      this.#to = to;
      this.#life = life;
    }
    this.#finished.push(n, attempts, result);
  }

  repeat(
    n: number,
    to: number,
    life: string,
    attempts: string | null,
    readyLane: number | null,
    dueAt: number | null,
  ): void {
    this.#repeated.push(n, to, life, attempts, readyLane, dueAt);
  }

  /** Writes all of them. A statement that reads the table needs this call before it. */
  write(): void {
    this.#writeFinished();
    if (this.#repeated.length === 0) return;
    this.#statements.repeat.run([this.#step.block], this.#repeated);
    this.#repeated = [];
  }

  #writeFinished(): void {
    if (this.#finished.length === 0) return;
    const { block, nowMs } = this.#step;
    this.#statements.finish.run([this.#to, block, nowMs, this.#life], this.#finished);
    this.#finished = [];
  }
}
