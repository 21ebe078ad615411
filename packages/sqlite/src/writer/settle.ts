import type { DatabaseSync } from 'node:sqlite';
import type { SettleResult } from '@redrive/durable/store';
import type { EncodedSettle } from '../command/encoded.ts';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import { decodeLife, encodeLife } from '../job/life-code.ts';
import { CANCELLED, isFinalCode, LEASED, PARKED, READY, SCHEDULED } from '../job/states.ts';
import type { LimitKeys } from './limit-keys.ts';
import type { Step } from './step.ts';

type HeldRow = [
  n: number,
  lane: number,
  state: number,
  revision: number,
  token: number,
  auditBlock: number,
  leaseUntil: number,
  cancelRequested: number,
  deadlineAt: number | null,
  uniqueKey: string | null,
  limitKey: string | null,
];

/** Ends attempts: `transition()` for the event `settle`, in SQL. */
export class Settle {
  readonly #find: Query<HeldRow>;
  readonly #finish: Statement;
  readonly #move: Statement;
  readonly #limitKeys: LimitKeys;

  constructor(db: DatabaseSync, limitKeys: LimitKeys) {
    this.#limitKeys = limitKeys;
    this.#find = query(
      db,
      `SELECT n, lane, state, revision, token, audit_block, lease_until, cancel_requested, deadline_at, unique_key,
         limit_key FROM jobs WHERE id = ?`,
    );
    // The usual end: a job without keys. It touches no index but those of leases and of finished jobs.
    this.#finish = statement(
      db,
      `UPDATE jobs SET state = ?, revision = ?, token = ?, audit_block = ?, lease_until = NULL, lease = NULL,
         finished_at = ?, finished_as = ?, life = ?, attempts = ?, result = ? WHERE n = ?`,
    );
    this.#move = statement(
      db,
      `UPDATE jobs SET state = ?, revision = ?, token = ?, audit_block = ?, lease_until = NULL, lease = NULL,
         finished_at = ?, finished_as = ?, life = ?, attempts = ?, result = ?, ready_lane = ?, due_at = ?,
         release_at = ?, expires_at = ?, cause = ?, unique_key = ?, leased_key = NULL WHERE n = ?`,
    );
  }

  /** Ends an attempt, if the token is the newest. */
  settle(step: Step, command: EncodedSettle): SettleResult {
    const [, id, token, byRescue, , , , isRunning] = command;
    const row = this.#find.get(id);
    if (row === undefined) return { ok: false, refusal: 'not_found' };
    const [, , state, , newestToken, , leaseUntil] = row;
    if (state !== LEASED || token !== newestToken) return { ok: false, refusal: 'stale_token' };
    // Only the rescue asks for the time. A late worker whose lease nobody has taken may still write: it lost nothing.
    if (byRescue && leaseUntil > step.nowMs) return { ok: false, refusal: 'lease_alive' };
    if (isRunning) return { ok: false, refusal: 'illegal' };
    this.#write(step, command, row);
    return { ok: true };
  }

  #write(step: Step, command: EncodedSettle, row: HeldRow): void {
    const [, id, , byRescue, asked, dueInMs, cause, , asDecided, attempts, result] = command;
    const [n, lane, , revision, token, previousBlock, , cancelRequested, deadlineAt] = row;
    const uniqueKey = row[9];
    const limitKey = row[10];
    const { nowMs, block } = step;
    // Whoever cancelled a job does not want to see it again, whatever its attempt ended with, unless it is done.
    const overruled = cancelRequested !== 0 && !isFinalCode(asked);
    const next = overruled ? CANCELLED : asked;
    const to = next === SCHEDULED && dueInMs <= 0 ? READY : next;
    const isFinished = isFinalCode(to);
    const life = overruled
      ? encodeLife({ ...decodeLife(asDecided), reason: 'cancelled' })
      : asDecided;
    const changed = [
      to,
      revision + 1,
      token + 1,
      block,
      isFinished ? nowMs : null,
      isFinished ? to : null,
      life,
      attempts,
      result,
    ];
    if (isFinished && uniqueKey === null && limitKey === null) this.#finish.run(...changed, n);
    else {
      this.#move.run(
        ...changed,
        to === READY ? lane : null,
        to === SCHEDULED ? nowMs + dueInMs : null,
        to === PARKED ? nowMs + dueInMs : null,
        isFinished ? null : deadlineAt,
        to === PARKED ? cause : null,
        isFinished ? null : uniqueKey,
        n,
      );
    }
    step.lanes.count(lane, LEASED, to);
    step.record({
      id,
      event: byRescue ? 'lease_lost' : 'settle',
      from: LEASED,
      to,
      revision: revision + 1,
      token: token + 1,
      generation: command[11],
      executions: command[12],
      previousBlock,
      detail: command[13],
    });
    if (limitKey !== null) {
      // Its limit key is free for another one.
      this.#limitKeys.release(limitKey);
      step.madeReady = true;
    }
    if (isFinished) step.finishedSome = true;
    else if (to !== PARKED) step.madeReady = true;
  }
}
