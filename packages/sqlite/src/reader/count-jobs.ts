import type { DatabaseSync } from 'node:sqlite';
import type { Counts } from '@redrive/durable/store';
import { query } from '../database/statement.ts';
import { STATES, stateOf } from '../job/states.ts';

/**
 * Jobs per queue, handler and state. Every transaction updates the counts of its lanes, so this reads one row per lane,
 * however many jobs there are.
 */
export function countJobs(db: DatabaseSync, nowMs: number): Counts {
  const rows = query<[queue: string, handler: string, ...counts: number[]]>(
    db,
    `SELECT queue, handler, ${STATES.join(', ')} FROM lanes ORDER BY queue, handler`,
  ).all();
  const groups = rows.flatMap(([queue, handler, ...counts]) =>
    counts
      .map((count, code) => ({ queue, handler, state: stateOf(code), count }))
      .filter(({ count }) => count > 0),
  );
  return { nowMs, groups, bounded: false, oldestReadyAtMs: oldestReady(db) };
}

/** The first job of every flow is the oldest one there: one look for each, and no more. */
function oldestReady(db: DatabaseSync): number | undefined {
  const heads = query<[oldest: number | null]>(
    db,
    `SELECT min(submitted_at) FROM (
       SELECT (SELECT j.submitted_at FROM jobs j
         WHERE j.ready_lane = f.lane AND j.priority = f.priority AND j.tenant = f.tenant
         ORDER BY j.submitted_at LIMIT 1) AS submitted_at
       FROM (SELECT lane, priority, tenant FROM flows LIMIT 10000) f
       UNION ALL SELECT min(+submitted_at) FROM jobs WHERE held_key IS NOT NULL
     )`,
  );
  return heads.get()?.[0] ?? undefined;
}
