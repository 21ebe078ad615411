import type { DatabaseSync } from 'node:sqlite';
import type { ReleaseResult } from '@redrive/durable/store';
import type { EncodedRelease } from '../command/encoded.ts';
import { type Query, query } from '../database/statement.ts';
import type { JobChanges } from '../writer/job-changes.ts';
import type { Step } from '../writer/step.ts';

/**
 * The jobs with the earliest release time, which were parked first. The index is by priority, so this compares the first
 * jobs of each priority. There are few priorities, and a probe is rare.
 */
export const FIRST_IN_TURN = `
  WITH RECURSIVE priorities (priority) AS (
    SELECT (SELECT priority FROM jobs INDEXED BY jobs_parked WHERE cause = ?1 ORDER BY priority DESC LIMIT 1)
    UNION ALL
    SELECT (SELECT j.priority FROM jobs j INDEXED BY jobs_parked
      WHERE j.cause = ?1 AND j.priority < priorities.priority ORDER BY j.priority DESC LIMIT 1)
    FROM priorities WHERE priority IS NOT NULL
  )
  SELECT j.id FROM priorities CROSS JOIN jobs j
  WHERE j.id IN (
    SELECT f.id FROM jobs f INDEXED BY jobs_parked WHERE f.cause = ?1 AND f.priority = priorities.priority
    ORDER BY f.release_at, f.id LIMIT ?2)
  ORDER BY j.release_at, j.id LIMIT ?2`;

/** Releases jobs that are parked under one cause. */
export class ParkedJobs {
  readonly #first: Query<[id: string]>;
  readonly #inTurn: Query<[id: string]>;
  readonly #changes: JobChanges;

  constructor(db: DatabaseSync, changes: JobChanges) {
    this.#changes = changes;
    this.#first = query(
      db,
      `SELECT id FROM jobs INDEXED BY jobs_parked WHERE cause = ? AND release_at IS NOT NULL
       ORDER BY priority DESC, release_at, id LIMIT ?`,
    );
    this.#inTurn = query(db, FIRST_IN_TURN);
  }

  release(step: Step, [, cause, limit, inTurn, detail]: EncodedRelease): ReleaseResult {
    // One more than the limit shows whether there are more.
    const found = (inTurn ? this.#inTurn : this.#first).all(cause, limit + 1);
    const released = found.slice(0, limit);
    for (const [id] of released) {
      const event = { kind: 'unpark', byHand: true } as const;
      this.#changes.apply(step, id, event, { event: 'unpark', detail });
    }
    return { ok: true, released: released.length, more: found.length > limit };
  }
}
