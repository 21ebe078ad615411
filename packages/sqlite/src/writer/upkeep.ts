import type { DatabaseSync } from 'node:sqlite';
import type { PruneResult, TickResult } from '@redrive/durable/store';
import type { EncodedPrune, EncodedTick } from '../command/encoded.ts';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import { decodeLife } from '../job/life-code.ts';
import { CANCELLED, DEAD, PURGED, READY, SCHEDULED, SUCCEEDED } from '../job/states.ts';
import type { JobChanges } from './job-changes.ts';
import type { Step } from './step.ts';

type OldRow = [
  n: number,
  id: string,
  lane: number,
  state: number,
  revision: number,
  token: number,
  auditBlock: number,
  life: string | null,
];

/** What time alone brings: jobs that come due, deadlines that pass, finished jobs whose time is over. */
export class Upkeep {
  readonly #due: Query<[n: number, lane: number]>;
  readonly #promote: Statement;
  readonly #parked: Query<[id: string]>;
  readonly #late: Query<[id: string]>;
  readonly #old: Query<OldRow>;
  readonly #delete: Statement;
  readonly #changes: JobChanges;

  constructor(db: DatabaseSync, changes: JobChanges) {
    this.#changes = changes;
    this.#due = query(db, 'SELECT n, lane FROM jobs WHERE due_at <= ? ORDER BY due_at, id LIMIT ?');
    this.#promote = statement(
      db,
      `UPDATE jobs SET state = ${READY}, ready_lane = lane, due_at = NULL WHERE n = ?`,
    );
    this.#parked = query(
      db,
      'SELECT id FROM jobs WHERE release_at <= ? ORDER BY release_at, id LIMIT ?',
    );
    this.#late = query(
      db,
      'SELECT id FROM jobs WHERE expires_at <= ? ORDER BY expires_at, id LIMIT ?',
    );
    const old = [SUCCEEDED, CANCELLED, DEAD, PURGED].map(
      (
        state,
      ) => `SELECT * FROM (SELECT n, id, lane, state, revision, token, audit_block, life, finished_at
        FROM jobs WHERE finished_as = ${state} AND finished_at <= ? ORDER BY finished_at LIMIT ?)`,
    );
    this.#old = query(
      db,
      `SELECT n, id, lane, state, revision, token, audit_block, life FROM (${old.join(' UNION ALL ')})
       ORDER BY finished_at, n LIMIT ?`,
    );
    this.#delete = statement(db, 'DELETE FROM jobs WHERE n = ?');
  }

  /** Makes scheduled jobs ready whose time has come. Physical: no record, no revision. Answers how many. */
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
      this.#changes.happen(
        step,
        id,
        { kind: 'unpark', byHand: false },
        { event: 'unpark', detail },
      );
    }
    const late = this.#late.all(step.nowMs, limit);
    for (const [id] of late) {
      this.#changes.happen(step, id, { kind: 'expire' }, { event: 'expire', detail });
    }
    return {
      ok: true,
      promoted,
      released: due.length,
      expired: late.length,
      more: Math.max(promoted, due.length, late.length) >= limit,
    };
  }

  /** Deletes finished jobs whose time is over, the oldest first. */
  prune(step: Step, command: EncodedPrune): PruneResult {
    const [, succeededMs, cancelledMs, deadMs, purgedMs, limit, detail] = command;
    const keptMs = [succeededMs, cancelledMs, deadMs, purgedMs];
    // `Infinity` keeps them for ever: nothing has finished that long ago.
    const bounds = keptMs.flatMap((ms) => [
      Math.max(step.nowMs - ms, Number.MIN_SAFE_INTEGER),
      limit,
    ]);
    const old = this.#old.all(...bounds, limit);
    for (const [n, id, lane, from, revision, token, previousBlock, life] of old) {
      const { generation, executions } = decodeLife(life).account;
      this.#delete.run(n);
      step.lanes.count(lane, from, null);
      step.record({
        id,
        event: 'prune',
        from,
        to: PURGED,
        revision: revision + 1,
        token,
        generation,
        executions,
        previousBlock,
        detail,
      });
    }
    return { ok: true, deleted: old.length, more: old.length >= limit };
  }
}
