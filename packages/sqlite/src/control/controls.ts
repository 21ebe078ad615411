import type { DatabaseSync } from 'node:sqlite';
import { type ControlResult, MAX_CONTROLS } from '@redrive/durable/store';
import type { EncodedControl } from '../command/encoded.ts';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import type { LimitKeys } from '../writer/limit-keys.ts';
import type { Step } from '../writer/step.ts';
import type { Stops } from './stops.ts';

/**
 * Control documents, and the one number that is incremented with each change of them. Parked jobs are found by
 * their cause, in the order in which they are released; the cause of a job that is not parked is NULL.
 */
export const CONTROL_TABLES = `
  CREATE TABLE controls (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    revision INTEGER NOT NULL,
    -- JSON.
    document TEXT NOT NULL,
    PRIMARY KEY (kind, key)
  ) STRICT;

  CREATE TABLE control_revision (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    revision INTEGER NOT NULL
  ) STRICT;
  INSERT INTO control_revision (one, revision) VALUES (1, 0);

  CREATE INDEX jobs_parked ON jobs (cause, priority DESC, release_at, id)
    WHERE cause IS NOT NULL;
`;

/** Writes control documents by compare-and-set: each only if it still has the revision that its writer has read. */
export class Controls {
  readonly #find: Query<[revision: number]>;
  readonly #count: Query<[count: number]>;
  readonly #countOf: Query<[count: number]>;
  readonly #put: Statement;
  readonly #delete: Statement;
  readonly #stops: Stops;
  readonly #limitKeys: LimitKeys;

  constructor(db: DatabaseSync, stops: Stops, limitKeys: LimitKeys) {
    this.#stops = stops;
    this.#limitKeys = limitKeys;
    this.#find = query(db, 'SELECT revision FROM controls WHERE kind = ? AND key = ?');
    this.#count = query(db, 'SELECT count(*) FROM controls');
    this.#countOf = query(db, 'SELECT count(*) FROM controls WHERE kind = ?');
    this.#put = statement(
      db,
      `INSERT INTO controls (kind, key, revision, document) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET revision = excluded.revision, document = excluded.document`,
    );
    this.#delete = statement(db, 'DELETE FROM controls WHERE kind = ? AND key = ?');
  }

  change(step: Step, [, kind, key, expect, document, note]: EncodedControl): ControlResult {
    const before = this.#find.get(kind, key)?.[0] ?? 0;
    if (before !== expect) return { ok: false, refusal: 'changed' };
    if (before === 0 && document !== null && this.#isFull(kind)) {
      return { ok: false, refusal: 'full' };
    }
    const revision = this.#stops.nextRevision(step);
    if (document === null) this.#delete.run(kind, key);
    else this.#put.run(kind, key, revision, document);
    if (note !== null) step.note('control', `${kind}:${key}`, note);
    if (kind === 'kill') this.#afterKill(step, document !== null);
    return { ok: true, revision };
  }

  #afterKill(step: Step, isEngaged: boolean): void {
    if (isEngaged) this.#limitKeys.refill();
    else step.madeReady = true;
  }

  #isFull(kind: string): boolean {
    // Counted first, because SQLite counts all rows page by page, but the rows of one kind one by one.
    if ((this.#count.get()?.[0] ?? 0) < MAX_CONTROLS) return false;
    return (this.#countOf.get(kind)?.[0] ?? 0) >= MAX_CONTROLS;
  }
}
