import type { DatabaseSync } from 'node:sqlite';
import { LIMIT, type Query, query } from '../database/statement.ts';
import { PAYLOAD } from '../job/payloads.ts';
import { READY } from '../job/states.ts';
import type { Place } from './flows.ts';

/** The columns of a ready job that a claim needs. */
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

/** The indexes of the columns in a `ReadyRow`. */
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
  life, ${PAYLOAD}, attempts, limit_key, unique_key`;

/** Reads the index of ready jobs: by flow (lane, priority, tenant), submission, id. */
export class ReadyJobs {
  readonly #jobs: Query<ReadyRow>;
  readonly #job: Query<[lane: number, held: number, ...row: ReadyRow]>;

  constructor(db: DatabaseSync) {
    this.#jobs = query(
      db,
      `SELECT ${COLUMNS} FROM jobs j
       WHERE ready_lane = ? AND priority = ? AND tenant = ? AND (submitted_at, id) > (?, ?)
         AND (deadline_at IS NULL OR deadline_at > ? OR limit_key IS NOT NULL)
       ORDER BY submitted_at, id ${LIMIT}`,
    );
    this.#job = query(
      db,
      `SELECT lane, held_key IS NOT NULL, ${COLUMNS} FROM jobs j
       WHERE id = ? AND state = ${READY} AND (deadline_at IS NULL OR deadline_at > ?)`,
    );
  }

  /** One job, if it is ready, even if its limit key keeps it out of the index. */
  job(id: string, nowMs: number): [lane: number, isHeld: boolean, row: ReadyRow] | undefined {
    const found = this.#job.get(id, nowMs);
    if (found === undefined) return undefined;
    const [lane, held, ...row] = found;
    return [lane, held === 1, row];
  }

  /** The tenant's next jobs after the last one. Jobs past their deadline are left out, unless others wait for them. */
  jobs(
    lane: number,
    priority: number,
    tenant: string,
    last: Place,
    nowMs: number,
    limit: number,
  ): ReadyRow[] {
    return this.#jobs.all(lane, priority, tenant, last[0], last[1], nowMs, limit);
  }
}
