import type { DatabaseSync } from 'node:sqlite';
import { compareText } from '@redrive/durable/store';
import { LIMIT, type Query, query, type Statement, statement } from '../database/statement.ts';

/** The changes of a flow when another job is added to it. */
const ADDED_AGAIN = `ON CONFLICT DO UPDATE SET late_from = NULL,
      first_at = iif((excluded.first_at, excluded.first_id) < (first_at, first_id), excluded.first_at, first_at),
      first_id = iif((excluded.first_at, excluded.first_id) < (first_at, first_id), excluded.first_id, first_id)
    WHERE (excluded.first_at, excluded.first_id) < (first_at, first_id) OR late_from IS NOT NULL`;

/** Every ready job has a flow (see `Flows`). */
export const FLOWS = `
  CREATE TABLE flows (
    lane INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    -- Place of the first job, or an earlier one.
    first_at INTEGER NOT NULL,
    first_id TEXT NOT NULL,
    -- Since when all jobs of the flow are past their deadline, so that claims skip it.
    late_from INTEGER,
    PRIMARY KEY (lane, priority, tenant)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX flows_line ON flows (priority DESC, tenant, first_at, first_id);

  CREATE TRIGGER jobs_flow AFTER UPDATE OF ready_lane ON jobs WHEN NEW.ready_lane IS NOT NULL BEGIN
    INSERT INTO flows (lane, priority, tenant, first_at, first_id)
    VALUES (NEW.ready_lane, NEW.priority, NEW.tenant, NEW.submitted_at, NEW.id)
    ${ADDED_AGAIN};
  END;
`;

/** The place of a job within its tenant: the order is by time, then by id. */
export type Place = readonly [submittedAt: number, id: string];

/** A lane, priority and tenant with ready jobs. None of its jobs comes before this place. */
export type Flow = readonly [lane: number, tenant: string, ...first: Place];

/**
 * The flows of a store, in the order of the queue: priority, tenant, place of the first job. A claim finds ready jobs
 * here, so lanes and tenants without ready jobs cost it nothing.
 *
 * Every ready job has a flow: `add` writes it for new jobs, the trigger `jobs_flow` for all others. The change that takes
 * the last job out of a flow deletes it. Its place may be too early after other changes, and a row that is set aside may
 * leave a flow without jobs: the claim that finds such a flow corrects or deletes it. Where all jobs are past their
 * deadline, it notes the time (`late_from`), and later claims skip the flow until a job is added, or a tick ends the jobs.
 */
export class Flows {
  readonly #add: Statement;
  readonly #move: Statement;
  readonly #remove: Statement;
  readonly #skip: Statement;
  readonly #firstJob: Query<[...Place]>;
  readonly #priorityBelow: Query<[priority: number]>;
  readonly #from: Query<[...Flow]>;
  readonly #behind: Query<[...Flow]>;
  readonly #ofLane: Query<[...Flow]>;

  constructor(db: DatabaseSync) {
    this.#add = statement(
      db,
      `INSERT INTO flows (lane, priority, tenant, first_at, first_id) VALUES (?, ?, ?, ?, ?)
       ${ADDED_AGAIN}`,
    );
    const one = 'WHERE lane = ? AND priority = ? AND tenant = ?';
    this.#move = statement(db, `UPDATE flows SET first_at = ?, first_id = ? ${one}`);
    this.#remove = statement(db, `DELETE FROM flows ${one}`);
    this.#skip = statement(db, `UPDATE flows SET late_from = ? ${one}`);
    this.#firstJob = query(
      db,
      `SELECT submitted_at, id FROM jobs WHERE ready_lane = ? AND priority = ? AND tenant = ?
       ORDER BY submitted_at, id LIMIT 1`,
    );
    this.#priorityBelow = query(
      db,
      'SELECT priority FROM flows WHERE priority < ? ORDER BY priority DESC LIMIT 1',
    );
    const flows =
      'SELECT lane, tenant, first_at, first_id FROM flows WHERE (late_from IS NULL OR late_from > ?)';
    this.#from = query(
      db,
      `${flows} AND priority = ? AND tenant >= ? ORDER BY tenant, first_at, first_id, lane ${LIMIT}`,
    );
    this.#behind = query(
      db,
      `${flows} AND priority = ? AND tenant = ? AND (first_at, first_id, lane) > (?, ?, ?)
       ORDER BY first_at, first_id, lane`,
    );
    this.#ofLane = query(
      db,
      `${flows} AND priority = ? AND lane = ? AND tenant >= ? ORDER BY tenant ${LIMIT}`,
    );
  }

  /** Adds the flow of new ready jobs, none of which comes before this place. */
  add(lane: number, priority: number, tenant: string, [submittedAt, id]: Place): void {
    this.#add.run(lane, priority, tenant, submittedAt, id);
  }

  /** Deletes a flow without jobs. Otherwise sets its place to that of its first job, unless it is its tenant's only flow. */
  correct(priority: number, [lane, tenant, ...first]: Flow, isAlone: boolean): void {
    const found = this.#firstJob.get(lane, priority, tenant);
    if (found === undefined) this.#remove.run(lane, priority, tenant);
    else if (!isAlone && comparePlaces(found, first) !== 0)
      this.#move.run(...found, lane, priority, tenant);
  }

  /** All jobs of this flow are past their deadline. */
  skipFrom(nowMs: number, priority: number, [lane, tenant]: Flow): void {
    this.#skip.run(nowMs, lane, priority, tenant);
  }

  /** A job has left this flow, by a change that is not a claim. */
  removeIfEmpty(priority: number, lane: number, tenant: string): void {
    this.correct(priority, [lane, tenant, 0, ''], true);
  }

  priorityBelow(priority: number): number | undefined {
    return this.#priorityBelow.get(priority)?.[0];
  }

  /** The first flows of this tenant and the tenants after it. */
  from(nowMs: number, priority: number, tenant: string, limit: number): Flow[] {
    return this.#from.all(nowMs, priority, tenant, limit);
  }

  /** The other flows of its tenant, behind this one. */
  behind(nowMs: number, priority: number, [lane, tenant, ...first]: Flow): Flow[] {
    return this.#behind.all(nowMs, priority, tenant, ...first, lane);
  }

  /** The first flows of one lane, of this tenant and the tenants after it. */
  ofLane(nowMs: number, priority: number, lane: number, tenant: string, limit: number): Flow[] {
    return this.#ofLane.all(nowMs, priority, lane, tenant, limit);
  }
}

export function comparePlaces(a: Place, b: Place): number {
  return a[0] - b[0] || compareText(a[1], b[1]);
}
