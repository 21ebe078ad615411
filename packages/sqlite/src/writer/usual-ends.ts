import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { ManyRows } from '../database/many-rows.ts';
import type { FastPaths } from '../fast-paths.ts';
import type { Step } from './step.ts';

const CHANGED = `revision = revision + 1, token = token + 1, lease_until = NULL, lease = NULL`;

/** The statements for the ends of jobs without keys and deadlines: they touch only the indexes that they must. */
export class UsualEnds {
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
          life = ?4, attempts = ends.column2, result = ends.column3
        FROM (VALUES ${rows}) AS ends WHERE jobs.n = ends.column1`,
    });
    this.repeat = new ManyRows(db, {
      sizes: settledRows,
      shared: 1,
      own: 6,
      row,
      sql: (
        rows,
      ) => `UPDATE jobs SET ${CHANGED}, state = ends.column2, audit_block = ?1, life = ends.column3,
          attempts = ends.column4, ready_lane = ends.column5, due_at = ends.column6
        FROM (VALUES ${rows}) AS ends WHERE jobs.n = ends.column1`,
    });
  }
}

/** Usual ends of one transaction on their way into the table, many at a time. */
export class PendingEnds {
  readonly #statements: UsualEnds;
  readonly #step: Step;
  #to = 0;
  #life = '';
  #finished: SQLInputValue[] = [];
  #repeated: SQLInputValue[] = [];

  constructor(statements: UsualEnds, step: Step) {
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

  /** Writes all of them. Whoever wants to look at the table calls it first. */
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
