import type { DatabaseSync } from 'node:sqlite';
import type { Job } from '@redrive/durable';
import type { ErrorFingerprint } from '@redrive/durable/dead-letters';
import { ManyRows } from '../database/many-rows.ts';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import type { FastPaths } from '../fast-paths.ts';

/** Groups of which one prune finds out whether they still have members. */
const CHECKED_AT_ONCE = 1_000;

/** The fields of a job that locate its row beside it. */
export type Placed = Pick<Job, 'id' | 'state' | 'finishedAtMs' | 'purgedAtMs' | 'fingerprint'>;

/** Keeps the rows of dead and purged jobs in step with the jobs, in the transaction that changes these. */
export class DeadLetters {
  readonly #insert: ManyRows;
  readonly #delete: Statement;
  readonly #insertPurged: Statement;
  readonly #deletePurged: Statement;
  readonly #insertGroup: Statement;
  readonly #groupsAfter: Query<[g: number]>;
  readonly #deleteGroups: Statement;
  /** The last group that a prune has looked at. */
  #checkedTo = 0;

  constructor(db: DatabaseSync, { settledRows }: FastPaths) {
    this.#insert = new ManyRows(db, {
      sizes: settledRows,
      row: '?',
      own: 1,
      sql: (
        rows,
      ) => `INSERT INTO dead_letters (died_at, id, n, lane, tenant, fingerprint, reason, error_class, session_id, tags)
        SELECT finished_at, id, n, lane, tenant, life ->> '$.fingerprint', life ->> '$.reason',
          life ->> '$.errorClass', spec ->> '$.sessionId', spec -> '$.tags' FROM jobs WHERE n IN (${rows})`,
    });
    this.#delete = statement(db, 'DELETE FROM dead_letters WHERE died_at = ? AND id = ?');
    this.#insertPurged = statement(
      db,
      'INSERT INTO purged_jobs (purged_at, n, fingerprint) VALUES (?, ?, ?)',
    );
    this.#deletePurged = statement(db, 'DELETE FROM purged_jobs WHERE purged_at = ? AND n = ?');
    this.#insertGroup = statement(
      db,
      'INSERT INTO dead_groups (fingerprint, pattern) VALUES (?, ?) ON CONFLICT DO NOTHING',
    );
    this.#groupsAfter = query(db, 'SELECT g FROM dead_groups WHERE g > ? ORDER BY g LIMIT ?');
    this.#deleteGroups = statement(
      db,
      `DELETE FROM dead_groups AS d WHERE g > ? AND g <= ?
         AND NOT EXISTS (SELECT 1 FROM dead_letters WHERE fingerprint = d.fingerprint)
         AND NOT EXISTS (SELECT 1 FROM purged_jobs WHERE fingerprint = d.fingerprint)`,
    );
  }

  /** Jobs have died. Their own rows say so already. */
  add(numbers: readonly number[], groups: Iterable<ErrorFingerprint>): void {
    for (const { fingerprint, pattern } of groups) this.#insertGroup.run(fingerprint, pattern);
    this.#insert.run([], numbers);
  }

  /** A job goes from one state to another. Its own row says so already. */
  move(n: number, before: Placed, after: Placed, group: ErrorFingerprint | undefined): void {
    if (before.state === after.state) return;
    this.remove(n, before);
    if (after.state === 'dead') this.add([n], group === undefined ? [] : [group]);
    if (after.state === 'purged') {
      this.#insertPurged.run(after.purgedAtMs ?? 0, n, after.fingerprint ?? null);
    }
  }

  /** A job leaves its state, or the store. */
  remove(n: number, { state, id, finishedAtMs = 0, purgedAtMs = 0 }: Placed): void {
    if (state === 'dead') this.#delete.run(finishedAtMs, id);
    if (state === 'purged') this.#deletePurged.run(purgedAtMs, n);
  }

  /** Forgets groups that have no members any more, some at a time. */
  forgetGroups(): void {
    const groups = this.#groupsAfter.all(this.#checkedTo, CHECKED_AT_ONCE);
    const last = groups.at(-1)?.[0];
    if (last !== undefined) this.#deleteGroups.run(this.#checkedTo, last);
    this.#checkedTo = last === undefined || groups.length < CHECKED_AT_ONCE ? 0 : last;
  }
}
