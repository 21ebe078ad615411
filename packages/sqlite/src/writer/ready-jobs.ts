import type { DatabaseSync } from 'node:sqlite';
import { type Query, query } from '../database/statement.ts';
import { READY } from '../job/states.ts';

/** What a claim looks at, hands out and records of a job that is ready. */
export type ReadyRow = readonly [
  n: number,
  id: string,
  tenant: string,
  priority: number,
  submittedAt: number,
  revision: number,
  token: number,
  auditBlock: number,
  deadlineAt: number | null,
  generationAt: number | null,
  spec: string | null,
  life: string | null,
  payload: string | Uint8Array,
  attempts: string | null,
  limitKey: string | null,
  uniqueKey: string | null,
];

/** The places in a `ReadyRow`. */
export const READY_ROW = {
  n: 0,
  id: 1,
  tenant: 2,
  priority: 3,
  submittedAt: 4,
  revision: 5,
  token: 6,
  auditBlock: 7,
  deadlineAt: 8,
  generationAt: 9,
  spec: 10,
  life: 11,
  payload: 12,
  attempts: 13,
  limitKey: 14,
  uniqueKey: 15,
} as const;

const COLUMNS = `n, id, tenant, priority, submitted_at, revision, token, audit_block, deadline_at, generation_at, spec,
  life, payload, attempts, limit_key, unique_key`;

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
  readonly #job: Query<[lane: number, held: number, ...row: ReadyRow]>;

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
      `SELECT ${COLUMNS} FROM jobs
       WHERE ready_lane = ? AND priority = ? AND tenant = ? AND (submitted_at, id) > (?, ?)
         AND (deadline_at IS NULL OR deadline_at > ? OR limit_key IS NOT NULL)
       ORDER BY submitted_at, id LIMIT ?`,
    );
    this.#job = query(
      db,
      `SELECT lane, held_key IS NOT NULL, ${COLUMNS} FROM jobs
       WHERE id = ? AND state = ${READY} AND (deadline_at IS NULL OR deadline_at > ?)`,
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

  /** One job, if it is ready, whether its limit key holds it back or not. */
  job(id: string, nowMs: number): [lane: number, isHeld: boolean, row: ReadyRow] | undefined {
    const found = this.#job.get(id, nowMs);
    if (found === undefined) return undefined;
    const [lane, held, ...row] = found;
    return [lane, held === 1, row];
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
