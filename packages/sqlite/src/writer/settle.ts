import type { DatabaseSync } from 'node:sqlite';
import type { SettleResult } from '@redrive/durable/store';
import { type EncodedSettle, SETTLE } from '../command/encoded.ts';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import type { DeadLetters } from '../dead-letter/dead-letters.ts';
import { decodeLife, encodeLife } from '../job/life-code.ts';
import { CANCELLED, DEAD, isFinalCode, LEASED, PARKED, READY, SCHEDULED } from '../job/states.ts';
import type { LimitKeys } from './limit-keys.ts';
import { HELD, type HeldRow, type OwnLeases } from './own-leases.ts';
import type { Step } from './step.ts';

/** Ends attempts: `transition()` for the event `settle`, in SQL. */
export class Settle {
  readonly #find: Query<HeldRow>;
  readonly #finish: Statement;
  readonly #repeat: Statement;
  readonly #move: Statement;
  readonly #limitKeys: LimitKeys;
  readonly #ownLeases: OwnLeases;
  readonly #deadLetters: DeadLetters;

  constructor(
    db: DatabaseSync,
    limitKeys: LimitKeys,
    ownLeases: OwnLeases,
    deadLetters: DeadLetters,
  ) {
    this.#deadLetters = deadLetters;
    this.#limitKeys = limitKeys;
    this.#ownLeases = ownLeases;
    this.#find = query(
      db,
      `SELECT n, lane, state, revision, token, audit_block, lease_until, cancel_requested, deadline_at, unique_key,
         limit_key FROM jobs WHERE id = ?`,
    );
    // The usual ends, of jobs without keys and deadlines, touch only the indexes that they must.
    this.#finish = statement(
      db,
      `UPDATE jobs SET state = ?, revision = ?, token = ?, audit_block = ?, lease_until = NULL, lease = NULL,
         finished_at = ?, finished_as = ?, life = ?, attempts = ?, result = ? WHERE n = ?`,
    );
    this.#repeat = statement(
      db,
      `UPDATE jobs SET state = ?, revision = ?, token = ?, audit_block = ?, lease_until = NULL, lease = NULL,
         life = ?, attempts = ?, ready_lane = ?, due_at = ? WHERE n = ?`,
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
    const id = command[SETTLE.id];
    const byRescue = command[SETTLE.byRescue];
    // A lease that was extended since has another end, which only the rescue asks for.
    const own = this.#ownLeases.take(id);
    const row = own !== undefined && !byRescue ? own : this.#find.get(id);
    if (row === undefined) return { ok: false, refusal: 'not_found' };
    if (row[HELD.state] !== LEASED || row[HELD.token] !== command[SETTLE.token]) {
      return { ok: false, refusal: 'stale_token' };
    }
    // Only the rescue asks for the time. A late worker whose lease nobody has taken may still write: it lost nothing.
    if (byRescue && row[HELD.leaseUntil] > step.nowMs) {
      return { ok: false, refusal: 'lease_alive' };
    }
    if (command[SETTLE.isRunning]) return { ok: false, refusal: 'illegal' };
    this.#write(step, command, row);
    return { ok: true };
  }

  #write(step: Step, command: EncodedSettle, row: HeldRow): void {
    const { nowMs, block } = step;
    const n = row[HELD.n];
    const lane = row[HELD.lane];
    const revision = row[HELD.revision] + 1;
    const token = row[HELD.token] + 1;
    const uniqueKey = row[HELD.uniqueKey];
    const limitKey = row[HELD.limitKey];
    // Whoever cancelled a job does not want to see it again, whatever its attempt ended with, unless it is done.
    const asked = command[SETTLE.to];
    const overruled = row[HELD.cancelRequested] !== 0 && !isFinalCode(asked);
    const next = overruled ? CANCELLED : asked;
    const dueInMs = command[SETTLE.dueInMs];
    const to = next === SCHEDULED && dueInMs <= 0 ? READY : next;
    const isFinished = isFinalCode(to);
    const decided = command[SETTLE.life];
    const life = overruled ? encodeLife({ ...decodeLife(decided), reason: 'cancelled' }) : decided;
    const attempts = command[SETTLE.attempts];
    const result = command[SETTLE.result];
    const deadlineAt = row[HELD.deadlineAt];
    const readyLane = to === READY ? lane : null;
    const dueAt = to === SCHEDULED ? nowMs + dueInMs : null;
    if (isFinished && uniqueKey === null && limitKey === null) {
      this.#finish.run(to, revision, token, block, nowMs, to, life, attempts, result, n);
    } else if (!isFinished && to !== PARKED && limitKey === null && deadlineAt === null) {
      this.#repeat.run(to, revision, token, block, life, attempts, readyLane, dueAt, n);
    } else {
      this.#move.run(
        to,
        revision,
        token,
        block,
        isFinished ? nowMs : null,
        isFinished ? to : null,
        life,
        attempts,
        result,
        readyLane,
        dueAt,
        to === PARKED ? nowMs + dueInMs : null,
        isFinished ? null : deadlineAt,
        to === PARKED ? command[SETTLE.cause] : null,
        isFinished ? null : uniqueKey,
        n,
      );
    }
    if (to === DEAD) this.#deadLetters.add(n, command[SETTLE.group]);
    step.lanes.count(lane, LEASED, to);
    step.record({
      id: command[SETTLE.id],
      event: command[SETTLE.byRescue] ? 'lease_lost' : 'settle',
      from: LEASED,
      to,
      revision,
      token,
      generation: command[SETTLE.generation],
      executions: command[SETTLE.executions],
      previousBlock: row[HELD.auditBlock],
      detail: command[SETTLE.detail],
    });
    // Its limit key is free for another one.
    if (limitKey !== null) this.#limitKeys.release(limitKey);
    if (isFinished) step.finishedSome = true;
    if (limitKey !== null || to === READY || to === SCHEDULED) step.madeReady = true;
  }
}
