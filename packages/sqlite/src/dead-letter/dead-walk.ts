import type { DatabaseSync } from 'node:sqlite';
import type { DeadFilter } from '@redrive/durable/dead-letters';
import { compareText, MAX_DEAD_SCAN } from '@redrive/durable/store';
import { query } from '../database/statement.ts';
import { all, type Branch, type Condition, type DeadPlan } from './dead-plan.ts';

/** The place of a letter in the order of deaths. */
export interface DeadPlace {
  readonly atMs: number;
  readonly id: string;
}

export interface DeadRow extends DeadPlace {
  readonly n: number;
  readonly fingerprint: string | null;
}

export interface WalkRequest {
  readonly filter: Pick<DeadFilter, 'diedAfterMs' | 'diedBeforeMs'>;
  readonly first: 'newest' | 'oldest';
  readonly after?: DeadPlace | undefined;
  /** Rows that are wanted. */
  readonly limit: number;
}

export interface Walk {
  /** At most as many as are wanted. */
  readonly rows: readonly DeadRow[];
  /** How far it has come, where it did not come to the end. */
  readonly cutAt?: DeadPlace | undefined;
}

type Row = [atMs: number, id: string, n: number, fingerprint: string | null];

/** Walks along a plan's indexes from a place on. Looks at `MAX_DEAD_SCAN` rows at most. */
export function walkDead(db: DatabaseSync, plan: DeadPlan, request: WalkRequest): Walk {
  const { limit, first } = request;
  const order = compareBy(first);
  const walks = plan.branches.map((branch) => walkBranch(db, plan, branch, request));
  // Behind the place where the first of them was cut, some may be missing.
  const [cutAt] = walks.flatMap((walk) => walk.cutAt ?? []).sort(order);
  const found = walks.flatMap(({ rows }) => rows).sort(order);
  const rows = cutAt === undefined ? found : found.filter((row) => order(row, cutAt) <= 0);
  return rows.length > limit
    ? { rows: rows.slice(0, limit), cutAt: rows[limit - 1] }
    : { rows, cutAt };
}

/** Walks along one index. What is behind the last row that is wanted may be one more row. */
export function walkBranch(
  db: DatabaseSync,
  plan: DeadPlan,
  branch: Branch,
  request: WalkRequest,
): Walk {
  const { rest } = plan;
  const { sql, values } = scanOf(branch, request);
  const scan = rest === undefined ? request.limit + 1 : scanLimit(plan);
  const rows = query<Row>(
    db,
    `SELECT died_at, id, n, fingerprint FROM (${sql} LIMIT ?) d WHERE ${rest?.sql ?? 'TRUE'} LIMIT ?`,
  )
    .all(...values, scan, ...(rest?.values ?? []), request.limit + 1)
    .map(rowOf);
  if (rest === undefined || rows.length > request.limit) return { rows };
  return { rows, cutAt: lastScanned(db, plan, branch, request) };
}

/** How many letters of one part fit, up to a number; and whether not all of it was looked at. */
export function countBranch(
  db: DatabaseSync,
  plan: DeadPlan,
  branch: Branch,
  request: WalkRequest,
): { readonly count: number; readonly isCut: boolean } {
  const { rest } = plan;
  const { sql, values } = scanOf(branch, request);
  const scan = rest === undefined ? request.limit : scanLimit(plan);
  const [count] = query<[count: number]>(
    db,
    `SELECT count(*) FROM (
       SELECT 1 FROM (${sql} LIMIT ?) d WHERE ${rest?.sql ?? 'TRUE'} LIMIT ?)`,
  ).get(...values, scan, ...(rest?.values ?? []), request.limit) ?? [0];
  const isCut = rest !== undefined && lastScanned(db, plan, branch, request) !== undefined;
  return { count, isCut };
}

/** Rows of one part that are looked at. */
export function scanLimit({ branches }: DeadPlan): number {
  return Math.floor(MAX_DEAD_SCAN / branches.length);
}

/** The letters of a part, in their order. */
function scanOf({ source, condition }: Branch, request: WalkRequest): Condition {
  const where = all([...(condition ? [condition] : []), ...bounds(request)]);
  const direction = request.first === 'newest' ? 'DESC' : 'ASC';
  const sql = `SELECT * FROM ${source} WHERE ${where.sql} ORDER BY died_at ${direction}, id ${direction}`;
  return { sql, values: where.values };
}

/** The last letter of a part that is looked at, where others follow. */
function lastScanned(
  db: DatabaseSync,
  plan: DeadPlan,
  branch: Branch,
  request: WalkRequest,
): DeadPlace | undefined {
  const { sql, values } = scanOf(branch, request);
  const [last, next] = query<[atMs: number, id: string]>(
    db,
    `SELECT died_at, id FROM (${sql} LIMIT 2 OFFSET ?)`,
  ).all(...values, scanLimit(plan) - 1);
  return last && next && { atMs: last[0], id: last[1] };
}

/** The times that are asked for, and the place where it begins. */
function bounds({ filter, first, after }: WalkRequest): Condition[] {
  const { diedAfterMs, diedBeforeMs } = filter;
  const conditions: Condition[] = [{ sql: 'TRUE', values: [] }];
  if (diedAfterMs !== undefined) conditions.push({ sql: 'died_at >= ?', values: [diedAfterMs] });
  if (diedBeforeMs !== undefined) conditions.push({ sql: 'died_at < ?', values: [diedBeforeMs] });
  if (after !== undefined) {
    const sql = `(died_at, id) ${first === 'newest' ? '<' : '>'} (?, ?)`;
    conditions.push({ sql, values: [after.atMs, after.id] });
  }
  return conditions;
}

function compareBy(first: 'newest' | 'oldest'): (a: DeadPlace, b: DeadPlace) => number {
  const sign = first === 'newest' ? -1 : 1;
  return (a, b) => sign * (a.atMs - b.atMs || compareText(a.id, b.id));
}

function rowOf([atMs, id, n, fingerprint]: Row): DeadRow {
  return { atMs, id, n, fingerprint };
}
