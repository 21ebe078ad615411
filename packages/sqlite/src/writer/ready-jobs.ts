import type { DatabaseSync } from 'node:sqlite';
import { type Query, query } from '../database/statement.ts';
import { JOB_COLUMNS, type JobRow } from '../job/job-row.ts';

/** A job that can be claimed: its row, whose queue and handler the lane knows, and its keys. */
export type ReadyRow = [...JobRow, limitKey: string | null, uniqueKey: string | null];

export const LIMIT_KEY = 24;
export const UNIQUE_KEY = 25;

const COLUMNS = JOB_COLUMNS.replace('l.queue, l.handler', 'NULL, NULL');

/**
 * Looks into the index of ready jobs: by lane, priority, tenant, submission, id. Every look goes straight to its place, so
 * what it costs depends on what it finds, and not on how much stands before or behind it.
 */
export class ReadyJobs {
  readonly #topPriority: Query<[priority: number]>;
  readonly #nextPriority: Query<[priority: number]>;
  readonly #firstTenant: Query<[tenant: string]>;
  readonly #nextTenant: Query<[tenant: string]>;
  readonly #jobs: Query<ReadyRow>;

  constructor(db: DatabaseSync) {
    this.#topPriority = query(
      db,
      'SELECT priority FROM jobs WHERE ready_lane = ? ORDER BY priority DESC LIMIT 1',
    );
    this.#nextPriority = query(
      db,
      'SELECT priority FROM jobs WHERE ready_lane = ? AND priority < ? ORDER BY priority DESC LIMIT 1',
    );
    this.#firstTenant = query(
      db,
      'SELECT tenant FROM jobs WHERE ready_lane = ? AND priority = ? ORDER BY tenant LIMIT 1',
    );
    this.#nextTenant = query(
      db,
      'SELECT tenant FROM jobs WHERE ready_lane = ? AND priority = ? AND tenant > ? ORDER BY tenant LIMIT 1',
    );
    this.#jobs = query(
      db,
      `SELECT ${COLUMNS}, j.limit_key, j.unique_key FROM jobs j
       WHERE j.ready_lane = ? AND j.priority = ? AND j.tenant = ? AND (j.submitted_at, j.id) > (?, ?)
         AND (j.deadline_at IS NULL OR j.deadline_at > ? OR j.limit_key IS NOT NULL)
       ORDER BY j.submitted_at, j.id LIMIT ?`,
    );
  }

  /** The highest priority of the lane, below another one if that is given. */
  priority(lane: number, below?: number): number | undefined {
    return below === undefined
      ? this.#topPriority.get(lane)?.[0]
      : this.#nextPriority.get(lane, below)?.[0];
  }

  /** The first tenant of the lane at this priority, behind another one if that is given. */
  tenant(lane: number, priority: number, behind?: string): string | undefined {
    return behind === undefined
      ? this.#firstTenant.get(lane, priority)?.[0]
      : this.#nextTenant.get(lane, priority, behind)?.[0];
  }

  /** The tenant's next jobs behind the last one. Those past their deadline are left out, unless others wait behind them. */
  jobs(
    lane: number,
    priority: number,
    tenant: string,
    last: readonly [submittedAt: number, id: string],
    nowMs: number,
    limit: number,
  ): ReadyRow[] {
    return this.#jobs.all(lane, priority, tenant, last[0], last[1], nowMs, limit);
  }
}
