import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { ErrorFingerprint } from '@redrive/durable/dead-letters';
import { ManyRows } from '../database/many-rows.ts';
import type { DeadLetters } from '../dead-letter/dead-letters.ts';
import type { FastPaths } from '../fast-paths.ts';
import { setSql } from '../job/transition-sql.ts';
import { OutdatedLease } from './leasing.ts';
import type { Step } from './step.ts';

/** Settles jobs without keys, many rows per statement. The statements change only the necessary indexes. */
export class UniformSettlements {
  readonly finish: ManyRows;
  readonly bury: ManyRows;
  readonly repeat: ManyRows;
  readonly repeatWithDeadline: ManyRows;
  readonly deadLetters: DeadLetters;

  constructor(db: DatabaseSync, deadLetters: DeadLetters, { settledRows }: FastPaths) {
    this.deadLetters = deadLetters;
    const many = (set: string) => (rows: string) =>
      `UPDATE jobs SET ${set} FROM (VALUES ${rows}) AS settled
       WHERE jobs.n = settled.column1 AND jobs.audit_block = settled.column2`;
    this.finish = new ManyRows(db, {
      sizes: settledRows,
      row: '(?, ?, ?, ?)',
      own: 4,
      sql: many(
        setSql('settle', {
          to: ['succeeded', 'cancelled'],
          without: ['unique_key', 'limit_key'],
          state: '?1',
          given: {
            block: '?2',
            now: '?3',
            life: '?4',
            attempts: 'settled.column3',
            result: 'settled.column4',
          },
        }),
      ),
    });
    this.bury = new ManyRows(db, {
      sizes: settledRows,
      row: '(?, ?, ?, ?)',
      own: 4,
      sql: many(
        setSql('settle', {
          to: ['dead'],
          without: ['unique_key', 'limit_key'],
          given: {
            block: '?1',
            now: '?2',
            life: 'settled.column3',
            attempts: 'settled.column4',
          },
        }),
      ),
    });
    const repeat = (without: readonly string[]): ManyRows =>
      new ManyRows(db, {
        sizes: settledRows,
        row: '(?, ?, ?, ?, ?, ?)',
        own: 6,
        sql: many(
          setSql('settle', {
            to: ['scheduled', 'ready'],
            without,
            state: 'settled.column3',
            given: {
              block: '?1',
              now: '?2',
              life: 'settled.column4',
              attempts: 'settled.column5',
              dueInMs: 'settled.column6',
            },
          }),
        ),
      });
    this.repeat = repeat(['deadline_at', 'limit_key']);
    this.repeatWithDeadline = repeat(['limit_key']);
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
  #repeatedWithDeadline: SQLInputValue[] = [];
  #buried: SQLInputValue[] = [];
  #dead: number[] = [];
  readonly #groups = new Map<string, ErrorFingerprint>();

  constructor(statements: UniformSettlements, step: Step) {
    this.#statements = statements;
    this.#step = step;
  }

  finish(
    n: number,
    auditBlock: number,
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
    this.#finished.push(n, auditBlock, attempts, result);
  }

  /** Its row among the dead letters is written too. */
  bury(
    n: number,
    auditBlock: number,
    life: string,
    attempts: string | null,
    group: ErrorFingerprint | undefined,
  ): void {
    this.#buried.push(n, auditBlock, life, attempts);
    this.#dead.push(n);
    if (group !== undefined) this.#groups.set(group.fingerprint, group);
  }

  repeat(
    n: number,
    auditBlock: number,
    to: number,
    life: string,
    attempts: string | null,
    dueInMs: number,
    hasDeadline: boolean,
  ): void {
    const repeated = hasDeadline ? this.#repeatedWithDeadline : this.#repeated;
    repeated.push(n, auditBlock, to, life, attempts, dueInMs);
  }

  /** Writes all collected settlements. Call it before a statement that reads the table. */
  write(): void {
    this.#writeFinished();
    const { repeat, repeatWithDeadline, bury, deadLetters } = this.#statements;
    const { block, nowMs } = this.#step;
    repeat.run([block, nowMs], this.#repeated, checkAll);
    repeatWithDeadline.run([block, nowMs], this.#repeatedWithDeadline, checkAll);
    bury.run([block, nowMs], this.#buried, checkAll);
    deadLetters.add(this.#dead, this.#groups.values());
    this.#repeated = [];
    this.#repeatedWithDeadline = [];
    this.#buried = [];
    this.#dead = [];
    this.#groups.clear();
  }

  #writeFinished(): void {
    if (this.#finished.length === 0) return;
    const { block, nowMs } = this.#step;
    this.#statements.finish.run([this.#to, block, nowMs, this.#life], this.#finished, checkAll);
    this.#finished = [];
  }
}

function checkAll(_from: number, rows: number, changes: number): void {
  if (changes !== rows) throw new OutdatedLease();
}
