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
  readonly die: ManyRows;
  readonly retry: ManyRows;
  readonly retryWithDeadline: ManyRows;
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
    this.die = new ManyRows(db, {
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
    const retry = (without: readonly string[]): ManyRows =>
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
    this.retry = retry(['deadline_at', 'limit_key']);
    this.retryWithDeadline = retry(['limit_key']);
  }
}

/** Collects the uniform settlements of one transaction, and writes many of them at a time. */
export class PendingSettlements {
  readonly #statements: UniformSettlements;
  readonly #step: Step;
  #to = 0;
  #life = '';
  #finished: SQLInputValue[] = [];
  #retried: SQLInputValue[] = [];
  #retriedWithDeadline: SQLInputValue[] = [];
  #died: SQLInputValue[] = [];
  #dead: number[] = [];
  readonly #groups = new Map<string, ErrorFingerprint>();

  constructor(statements: UniformSettlements, step: Step) {
    this.#statements = statements;
    this.#step = step;
  }

  /** The job has succeeded, or is cancelled. */
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

  /** The job is dead. Its row among the dead letters is written too. */
  die(
    n: number,
    auditBlock: number,
    life: string,
    attempts: string | null,
    group: ErrorFingerprint | undefined,
  ): void {
    this.#died.push(n, auditBlock, life, attempts);
    this.#dead.push(n);
    if (group !== undefined) this.#groups.set(group.fingerprint, group);
  }

  /** The job gets another attempt: it is scheduled, or ready at once. */
  retry(
    n: number,
    auditBlock: number,
    to: number,
    life: string,
    attempts: string | null,
    dueInMs: number,
    hasDeadline: boolean,
  ): void {
    const retried = hasDeadline ? this.#retriedWithDeadline : this.#retried;
    retried.push(n, auditBlock, to, life, attempts, dueInMs);
  }

  /** Writes all collected settlements. Call it before a statement that reads the table. */
  write(): void {
    this.#writeFinished();
    const { retry, retryWithDeadline, die, deadLetters } = this.#statements;
    const { block, nowMs } = this.#step;
    retry.run([block, nowMs], this.#retried, checkAll);
    retryWithDeadline.run([block, nowMs], this.#retriedWithDeadline, checkAll);
    die.run([block, nowMs], this.#died, checkAll);
    deadLetters.add(this.#dead, this.#groups.values());
    this.#retried = [];
    this.#retriedWithDeadline = [];
    this.#died = [];
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
