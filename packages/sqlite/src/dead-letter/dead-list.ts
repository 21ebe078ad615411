import type { DatabaseSync } from 'node:sqlite';
import type { DeadFilter } from '@redrive/durable/dead-letters';
import type { BoundedCount } from '@redrive/durable/store';
import { query } from '../database/statement.ts';
import { type JobRow, LIST_COLUMNS } from '../job/job-row.ts';
import { planDead } from './dead-plan.ts';
import { countBranch, type DeadPlace, walkDead } from './dead-walk.ts';

export interface DeadListRequest {
  readonly filter: DeadFilter;
  readonly limit: number;
  readonly first: 'newest' | 'oldest';
  readonly after?: DeadPlace | undefined;
}

export interface FoundDead {
  readonly rows: readonly JobRow[];
  readonly next?: DeadPlace | undefined;
}

/** One page of dead letters. */
export function listDead(db: DatabaseSync, request: DeadListRequest): FoundDead {
  const plan = planDead(db, request.filter);
  if (plan === undefined) return { rows: [] };
  const { rows, cutAt } = walkDead(db, plan, request);
  return { rows: jobsOf(db, rows), next: cutAt && { atMs: cutAt.atMs, id: cutAt.id } };
}

/** How many there are, as far as it is counted. */
export function countDead(db: DatabaseSync, filter: DeadFilter, atMost: number): BoundedCount {
  const plan = planDead(db, filter);
  let total = 0;
  let bounded = false;
  for (const branch of plan?.branches ?? []) {
    if (plan === undefined || total > atMost) break;
    const request = { filter, first: 'newest', limit: atMost + 1 - total } as const;
    const { count, isCut } = countBranch(db, plan, branch, request);
    total += count;
    bounded ||= isCut;
  }
  return { count: Math.min(total, atMost), bounded: bounded || total > atMost };
}

/** The jobs of these letters, in the same order. */
function jobsOf(db: DatabaseSync, letters: readonly { readonly n: number }[]): readonly JobRow[] {
  const rows = query<JobRow>(
    db,
    `SELECT ${LIST_COLUMNS} FROM json_each(?) CROSS JOIN jobs j ON j.n = value CROSS JOIN lanes l USING (lane)`,
  ).all(JSON.stringify(letters.map(({ n }) => n)));
  const byNumber = new Map(rows.map((row) => [row[0], row]));
  return letters.map(({ n }) => byNumber.get(n)).filter((row) => row !== undefined);
}
