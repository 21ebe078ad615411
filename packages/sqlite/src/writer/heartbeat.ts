import type { DatabaseSync } from 'node:sqlite';
import type { HeartbeatAnswer } from '@redrive/durable/store';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import { LEASED } from '../job/states.ts';
import { setSql } from '../job/transition-sql.ts';

/** Extends leases. Writes no audit record. */
export class Heartbeat {
  readonly #find: Query<[n: number, until: number, cancelRequested: number]>;
  readonly #extend: Statement;

  constructor(db: DatabaseSync) {
    this.#find = query(
      db,
      `SELECT n, lease_until, cancel_requested FROM jobs WHERE id = ? AND token = ? AND state = ${LEASED}`,
    );
    const set = setSql('extend', { given: { now: '?1', leaseMs: '?2' } });
    this.#extend = statement(db, `UPDATE jobs SET ${set} WHERE n = ?3`);
  }

  extend(id: string, token: number, leaseMs: number, nowMs: number): HeartbeatAnswer {
    const [n, untilMs, cancelRequested] = this.#find.get(id, token) ?? [0, 0, 0];
    // An expired lease is not extended: another worker may be about to settle it.
    if (untilMs <= nowMs) return 'lost';
    if (nowMs + leaseMs > untilMs) this.#extend.run(nowMs, leaseMs, n);
    return cancelRequested === 0 ? 'held' : 'cancel';
  }
}
