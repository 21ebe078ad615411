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

/** The first job of every lane, priority and tenant is the oldest there: one row is read for each of them. */
function oldestReady(db: DatabaseSync): number | undefined {
  const heads = query<[oldest: number | null]>(
    db,
    `WITH RECURSIVE head (lane, priority, tenant, submitted_at) AS (
       SELECT * FROM (SELECT ready_lane, priority, tenant, submitted_at FROM jobs WHERE ready_lane IS NOT NULL
         ORDER BY ready_lane, priority DESC, tenant, submitted_at LIMIT 1)
       UNION ALL
       SELECT j.ready_lane, j.priority, j.tenant, j.submitted_at FROM head h JOIN jobs j ON j.n = coalesce(
         (SELECT n FROM jobs WHERE ready_lane = h.lane AND priority = h.priority AND tenant > h.tenant
            ORDER BY tenant, submitted_at LIMIT 1),
         (SELECT n FROM jobs WHERE ready_lane = h.lane AND priority < h.priority
            ORDER BY priority DESC, tenant, submitted_at LIMIT 1),
         (SELECT n FROM jobs WHERE ready_lane > h.lane
            ORDER BY ready_lane, priority DESC, tenant, submitted_at LIMIT 1))
       LIMIT 10000
     )
     SELECT min(submitted_at) FROM (
       SELECT submitted_at FROM head
       UNION ALL SELECT min(+submitted_at) FROM jobs WHERE held_key IS NOT NULL
     )`,
  );
  return heads.get()?.[0] ?? undefined;
}
