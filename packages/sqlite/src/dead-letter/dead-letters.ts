import type { DatabaseSync } from 'node:sqlite';
import type { Job } from '@redrive/durable';
import type { ErrorFingerprint } from '@redrive/durable/dead-letters';
import type { ActGroup } from '@redrive/durable/store';
import { ManyRows } from '../database/many-rows.ts';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import type { FastPaths } from '../fast-paths.ts';

/**
 * Dead letters have rows of their own beside their jobs, with the columns that searches use. Indexes on `jobs` instead
 * would slow down every job.
 */
export const DEAD_LETTER_TABLES = `
  CREATE TABLE dead_letters (
    died_at INTEGER NOT NULL,
    id TEXT NOT NULL,
    -- Of the job.
    n INTEGER NOT NULL,
    lane INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    fingerprint TEXT,
    reason TEXT,
    error_class TEXT,
    -- Absent: that of the job's own.
    session_id TEXT,
    -- JSON. Absent: none.
    tags TEXT,
    PRIMARY KEY (died_at, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX dead_letters_group ON dead_letters (fingerprint, died_at, id)
    WHERE fingerprint IS NOT NULL;
  CREATE INDEX dead_letters_lane ON dead_letters (lane, died_at, id);
  CREATE INDEX dead_letters_tenant ON dead_letters (tenant, died_at, id);

  CREATE TABLE dead_groups (
    g INTEGER PRIMARY KEY,
    fingerprint TEXT NOT NULL UNIQUE,
    pattern TEXT NOT NULL
  ) STRICT;

  -- Jobs that may come back until they are pruned.
  CREATE TABLE purged_jobs (
    purged_at INTEGER NOT NULL,
    n INTEGER NOT NULL,
    -- Where it was dead: it keeps its group.
    fingerprint TEXT,
    PRIMARY KEY (purged_at, n)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX purged_jobs_group ON purged_jobs (fingerprint) WHERE fingerprint IS NOT NULL;

  -- What edits have replaced. TEXT: JSON. BLOB: bytes.
  CREATE TABLE earlier_payloads (
    id TEXT NOT NULL,
    generation INTEGER NOT NULL,
    replaced_at INTEGER NOT NULL,
    replaced_by TEXT NOT NULL,
    payload ANY NOT NULL,
    PRIMARY KEY (id, generation)
  ) STRICT;
`;

/** Groups of which one prune finds out whether they still have members. */
const CHECKED_AT_ONCE = 1_000;

/** The fields of a job that locate its row beside it. */
export type Placed = Pick<Job, 'id' | 'state' | 'finishedAtMs' | 'purgedAtMs' | 'fingerprint'>;

/** Keeps the rows of dead and purged jobs in step with the jobs, in the transaction that changes these. */
export class DeadLetters {
  readonly #insert: ManyRows;
  readonly #delete: Statement;
  readonly #regroup: Statement;
  readonly #rename: Statement;
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
    this.#regroup = statement(
      db,
      'UPDATE dead_letters SET fingerprint = ? WHERE died_at = ? AND id = ?',
    );
    this.#rename = statement(db, 'UPDATE dead_groups SET pattern = ? WHERE fingerprint = ?');
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

  /** Adds the dead letters of these jobs. The rows of the jobs are written before: this copies from them. */
  add(numbers: readonly number[], groups: Iterable<ErrorFingerprint>): void {
    for (const { fingerprint, pattern } of groups) this.#insertGroup.run(fingerprint, pattern);
    this.#insert.run([], numbers);
  }

  /** Follows a change of a job's state. The row of the job is written before. */
  move(n: number, before: Placed, after: Placed, group: ActGroup | undefined): void {
    if (before.state === after.state) {
      this.#follow(after, group);
      return;
    }
    this.remove(n, before);
    if (after.state === 'dead') this.add([n], group === undefined ? [] : [group]);
    if (after.state === 'purged') {
      this.#insertPurged.run(after.purgedAtMs ?? 0, n, after.fingerprint ?? null);
    }
  }

  /** A dead letter moves to another cause. */
  #follow({ id, finishedAtMs = 0 }: Placed, group: ActGroup | undefined): void {
    if (group === undefined) return;
    const { fingerprint, pattern, rename = false } = group;
    this.#insertGroup.run(fingerprint, pattern);
    if (rename) this.#rename.run(pattern, fingerprint);
    this.#regroup.run(fingerprint, finishedAtMs, id);
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
