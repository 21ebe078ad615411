import type { DatabaseSync } from 'node:sqlite';
import { LIMIT, type Query, query } from '../database/statement.ts';
import { PAYLOAD } from '../job/payloads.ts';
import { READY } from '../job/states.ts';
import { comparePlaces, type Flow, type Flows, type Place } from './flows.ts';
import type { Lane } from './lanes.ts';
import type { FlowLine } from './walk-queue.ts';

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

/** The most jobs of the first page: a claim that looks for jobs to take ahead may find none that can be. */
const FIRST_PAGE = 64;
const BEFORE_ALL: Place = [Number.MIN_SAFE_INTEGER, ''];

/** The jobs of one flow that were fetched so far. */
interface Source {
  readonly flow: Flow;
  readonly lane: Lane;
  rows: readonly ReadyRow[];
  /** The index in `rows` of the next job. */
  index: number;
  /** The number of jobs that were fetched so far. */
  fetched: number;
  /** The place of the last job that was offered. */
  last: Place;
  /** All jobs of the flow were fetched. */
  isDone: boolean;
}

export interface Queue {
  readonly ready: ReadyJobs;
  readonly line: FlowLine;
  readonly lanes: ReadonlyMap<number, Lane>;
  readonly nowMs: number;
  /** Whether jobs of this lane can still be claimed. */
  readonly isOpen: (lane: Lane) => boolean;
}

/**
 * The jobs of one tenant at one priority, over all lanes, in the order of their submission. A flow is read only when its
 * first job may be the next one, so that the cost depends on the claimed jobs and not on the number of lanes.
 */
export class TenantJobs {
  readonly #queue: Queue;
  readonly #priority: number;
  readonly #atOnce: number;
  readonly #opened: Source[] = [];
  /** By their first jobs. */
  readonly #flows: readonly Flow[];
  /** Index of the next flow to open. */
  #next = 0;

  constructor(queue: Queue, priority: number, flows: readonly Flow[], atOnce: number) {
    this.#queue = queue;
    this.#priority = priority;
    this.#flows = flows;
    this.#atOnce = Math.ceil(atOnce / flows.length);
  }

  next(): { readonly row: ReadyRow; readonly lane: Lane } | undefined {
    let first = this.#firstOpened();
    for (let flow = this.#flows[this.#next]; flow !== undefined; flow = this.#flows[this.#next]) {
      if (first !== undefined && comparePlaces(placeOf(first.row), [flow[2], flow[3]]) < 0) break;
      this.#next += 1;
      this.#open(flow);
      first = this.#firstOpened();
    }
    if (first === undefined) return undefined;
    const { row, source } = first;
    source.index += 1;
    source.last = placeOf(row);
    return { row, lane: source.lane };
  }

  /** Whether flows were read and had no job. `false` if jobs were offered, or if no lane can still be claimed from. */
  get isEmpty(): boolean {
    return this.#opened.length > 0 && this.#opened.every(({ last }) => last === BEFORE_ALL);
  }

  /** Fetches again: other jobs may have been added after the fetched ones. */
  fetchAgain(): void {
    for (const source of this.#opened) {
      source.rows = [];
      source.index = 0;
      source.isDone = false;
    }
  }

  /** Corrects the flows that were read, if they may be empty or late, or if the tenant has several, whose order matters. */
  correct(flows: Flows): void {
    const isAlone = this.#flows.length === 1;
    for (const { flow, rows, index, isDone, last } of this.#opened) {
      // Rows that were fetched and not offered are ready: only a flow without any is late.
      const isLate = isDone && rows.length === 0 && last === BEFORE_ALL;
      if (isLate) flows.skipFrom(this.#queue.nowMs, this.#priority, flow);
      if (!isAlone || index === rows.length) flows.correct(this.#priority, flow, isAlone);
    }
  }

  #open(flow: Flow): void {
    const lane = this.#queue.lanes.get(flow[0]);
    if (lane === undefined || !this.#queue.isOpen(lane)) return;
    this.#opened.push({
      flow,
      lane,
      rows: [],
      index: 0,
      fetched: 0,
      last: BEFORE_ALL,
      isDone: false,
    });
  }

  #firstOpened(): { readonly row: ReadyRow; readonly source: Source } | undefined {
    let first: { readonly row: ReadyRow; readonly source: Source } | undefined;
    for (const source of this.#opened) {
      const row = this.#head(source);
      if (row === undefined) continue;
      if (first === undefined || comparePlaces(placeOf(row), placeOf(first.row)) < 0) {
        first = { row, source };
      }
    }
    return first;
  }

  #head(source: Source): ReadyRow | undefined {
    const { ready, nowMs, isOpen } = this.#queue;
    if (!isOpen(source.lane)) return undefined;
    if (source.index === source.rows.length && !source.isDone) {
      const [lane, tenant] = source.flow;
      // Each page is as large as those before it together, but the last one of `#atOnce` jobs is not larger than needed.
      const left = this.#atOnce - source.fetched;
      const page = Math.max(FIRST_PAGE, source.fetched);
      const count = left > 0 ? Math.min(left, page) : page;
      source.rows = ready.jobs(lane, this.#priority, tenant, source.last, nowMs, count);
      source.fetched += source.rows.length;
      source.index = 0;
      source.isDone = source.rows.length < count;
    }
    return source.rows[source.index];
  }
}

function placeOf(row: ReadyRow): Place {
  return [row[READY_ROW.submittedAt], row[READY_ROW.id]];
}
