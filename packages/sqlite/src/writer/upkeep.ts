import type { DatabaseSync } from 'node:sqlite';
import { type Actor, expiredJobs, type TickResult } from '@redrive/durable/store';
import type { EncodedTick } from '../command/encoded.ts';
import { LIMIT, type Query, query, type Statement, statement } from '../database/statement.ts';
import { READY, SCHEDULED } from '../job/states.ts';
import { setSql } from '../job/transition-sql.ts';
import type { Enqueue } from './enqueue.ts';
import type { JobChanges } from './job-changes.ts';
import type { Step } from './step.ts';

/** Changes by time alone: makes due jobs ready, and ends jobs whose deadline has passed. */
export class Upkeep {
  readonly #due: Query<[n: number, lane: number]>;
  readonly #promote: Statement;
  readonly #parked: Query<[id: string]>;
  readonly #late: Query<[id: string, handler: string, queue: string, onDead: string | null]>;
  readonly #changes: JobChanges;
  readonly #enqueue: Enqueue;

  constructor(db: DatabaseSync, changes: JobChanges, enqueue: Enqueue) {
    this.#changes = changes;
    this.#enqueue = enqueue;
    this.#due = query(
      db,
      `SELECT n, lane FROM jobs WHERE due_at <= ? ORDER BY due_at, id ${LIMIT}`,
    );
    this.#promote = statement(
      db,
      `UPDATE jobs SET ${setSql('promote', { given: {} })} WHERE n = ?`,
    );
    this.#parked = query(
      db,
      `SELECT id FROM jobs WHERE release_at <= ? ORDER BY release_at, id ${LIMIT}`,
    );
    // A cross join: the jobs first, by their index.
    this.#late = query(
      db,
      `SELECT j.id, l.handler, l.queue, iif(json_valid(j.spec), j.spec ->> '$.onDead', NULL) FROM jobs j CROSS JOIN lanes l ON l.lane = j.lane
      WHERE j.expires_at <= ? ORDER BY j.expires_at, j.id ${LIMIT}`,
    );
  }

  /** Makes due jobs ready. Writes no audit record and no revision. Returns their number. */
  promote(step: Step, limit: number): number {
    const due = this.#due.all(step.nowMs, limit);
    for (const [n, lane] of due) {
      this.#promote.run(n);
      step.lanes.count(lane, SCHEDULED, READY);
    }
    if (due.length > 0) step.madeReady = true;
    return due.length;
  }

  tick(step: Step, [, limit, detail]: EncodedTick): TickResult {
    const promoted = this.promote(step, limit);
    const due = this.#parked.all(step.nowMs, limit);
    for (const [id] of due) {
      this.#changes.apply(step, id, { kind: 'unpark', byHand: false }, { event: 'unpark', detail });
    }
    const late = this.#late.all(step.nowMs, limit);
    const ended = late.filter(
      ([id]) => this.#changes.apply(step, id, { kind: 'expire' }, { event: 'expire', detail }).ok,
    );
    for (const [id, , , onDead] of ended) {
      const job = onDead === null ? undefined : this.#changes.find(id);
      if (job !== undefined) this.#enqueue.hook(step, job, asActor(detail));
    }
    const expiredBy = expiredJobs(ended.map(([, handler, queue]) => ({ handler, queue })));
    return {
      ok: true,
      promoted,
      released: due.length,
      expired: late.length,
      more: Math.max(promoted, due.length, late.length) >= limit,
      ...(expiredBy && { expiredBy }),
    };
  }
}

/** The actor of a detail that `actorDetail` wrote. */
function asActor(detail: string): Actor {
  const { by, why } = JSON.parse(detail) as { readonly by: string; readonly why?: string };
  return { name: by, why };
}
