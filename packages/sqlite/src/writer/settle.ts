import type { DatabaseSync } from 'node:sqlite';
import type { SettleResult } from '@redrive/durable/store';
import { type EncodedSettle, SETTLE, SETTLE_TEMPLATE } from '../command/encoded.ts';
import { DONE, type Outcome } from '../command/outcome.ts';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import type { DeadLetters } from '../dead-letter/dead-letters.ts';
import type { FastPaths } from '../fast-paths.ts';
import { decodeLife, encodeLife } from '../job/life-code.ts';
import { CANCELLED, DEAD, isFinalCode, LEASED, PARKED, READY, SCHEDULED } from '../job/states.ts';
import { setSql } from '../job/transition-sql.ts';
import type { Enqueue } from './enqueue.ts';
import { LEASED_ROW, type LeasedRow, OutdatedLease, type OwnLeases } from './leasing.ts';
import type { LimitKeys } from './limit-keys.ts';
import type { Step } from './step.ts';
import { PendingSettlements, UniformSettlements } from './uniform-settlements.ts';

/** Settles attempts. */
export class Settle {
  readonly #find: Query<LeasedRow>;
  readonly #uniform: UniformSettlements;
  readonly #move: Statement;
  readonly #limitKeys: LimitKeys;
  readonly #ownLeases: OwnLeases;
  readonly #deadLetters: DeadLetters;
  readonly #enqueue: Enqueue;

  constructor(
    db: DatabaseSync,
    limitKeys: LimitKeys,
    ownLeases: OwnLeases,
    deadLetters: DeadLetters,
    enqueue: Enqueue,
    fastPaths: FastPaths,
  ) {
    this.#enqueue = enqueue;
    this.#deadLetters = deadLetters;
    this.#limitKeys = limitKeys;
    this.#ownLeases = ownLeases;
    this.#find = query(
      db,
      `SELECT n, lane, state, revision, token, audit_block, lease_until, cancel_requested, deadline_at, unique_key,
         limit_key FROM jobs WHERE id = ?`,
    );
    this.#uniform = new UniformSettlements(db, deadLetters, fastPaths);
    const set = setSql('settle', {
      state: '?1',
      given: {
        block: '?2',
        now: '?3',
        life: '?4',
        attempts: '?5',
        result: '?6',
        dueInMs: '?7',
        cause: '?8',
      },
    });
    this.#move = statement(db, `UPDATE jobs SET ${set} WHERE n = ?9 AND audit_block = ?10`);
  }

  /** Settles attempts, each only if its token is the newest. */
  settleMany(step: Step, commands: readonly EncodedSettle[], outcomes: Outcome[]): void {
    const pending = new PendingSettlements(this.#uniform, step);
    for (const command of commands) {
      const result = this.#settle(step, command, pending);
      outcomes.push(result.ok ? DONE : result);
    }
    pending.write();
  }

  #settle(step: Step, command: EncodedSettle, pending: PendingSettlements): SettleResult {
    const id = command[SETTLE.id];
    const template = command[SETTLE.template];
    const byRescue = template[SETTLE_TEMPLATE.byRescue];
    // The end of the lease is not in the cache, because heartbeats change it. Only the rescue needs it. A refusal is never
    // the cache's: with another token, the row itself is read.
    const own = this.#ownLeases.take(id);
    const isOwn = own?.[LEASED_ROW.token] === command[SETTLE.token] && !byRescue;
    const row = isOwn ? own : this.#look(id, pending);
    if (row === undefined) return { ok: false, refusal: 'not_found' };
    if (row[LEASED_ROW.state] !== LEASED || row[LEASED_ROW.token] !== command[SETTLE.token]) {
      return { ok: false, refusal: 'stale_token' };
    }
    // Only the rescue checks the end of the lease. A late worker may still write if nobody has claimed its job.
    if (byRescue && row[LEASED_ROW.leaseUntil] > step.nowMs) {
      return { ok: false, refusal: 'lease_alive' };
    }
    if (template[SETTLE_TEMPLATE.isRunning]) return { ok: false, refusal: 'illegal' };
    const follow = command[SETTLE.follow] ?? [];
    if (follow.length > 0) {
      // Both read the table.
      pending.write();
      const refused = this.#enqueue.followRefusal(step, id, follow);
      if (refused !== undefined) return refused;
    }
    this.#write(step, command, row, pending);
    if (follow.length > 0) {
      pending.write();
      for (const each of follow) this.#enqueue.enqueue(step, each);
    }
    return { ok: true };
  }

  #look(id: string, pending: PendingSettlements): LeasedRow | undefined {
    pending.write();
    return this.#find.get(id);
  }

  #write(step: Step, command: EncodedSettle, row: LeasedRow, pending: PendingSettlements): void {
    const { nowMs, block } = step;
    const template = command[SETTLE.template];
    const n = row[LEASED_ROW.n];
    const lane = row[LEASED_ROW.lane];
    const revision = row[LEASED_ROW.revision] + 1;
    const token = row[LEASED_ROW.token] + 1;
    const uniqueKey = row[LEASED_ROW.uniqueKey];
    const limitKey = row[LEASED_ROW.limitKey];
    // A job whose cancellation was requested is not retried. A final outcome of its attempt stands.
    const asked = template[SETTLE_TEMPLATE.to];
    const overruled = row[LEASED_ROW.cancelRequested] !== 0 && !isFinalCode(asked);
    const next = overruled ? CANCELLED : asked;
    const dueInMs = template[SETTLE_TEMPLATE.dueInMs];
    const to = next === SCHEDULED && dueInMs <= 0 ? READY : next;
    const isFinished = isFinalCode(to);
    const decided = template[SETTLE_TEMPLATE.life];
    const life = overruled ? encodeLife({ ...decodeLife(decided), reason: 'cancelled' }) : decided;
    const attempts = command[SETTLE.attempts];
    const result = command[SETTLE.result];
    const group = template[SETTLE_TEMPLATE.group];
    if (isFinished && uniqueKey === null && limitKey === null) {
      if (to === DEAD) pending.die(n, row[LEASED_ROW.auditBlock], life, attempts, group);
      else pending.finish(n, row[LEASED_ROW.auditBlock], to, life, attempts, result);
    } else if (!isFinished && to !== PARKED && limitKey === null) {
      const hasDeadline = row[LEASED_ROW.deadlineAt] !== null;
      pending.retry(n, row[LEASED_ROW.auditBlock], to, life, attempts, dueInMs, hasDeadline);
    } else {
      const cause = template[SETTLE_TEMPLATE.cause];
      const values = [to, block, nowMs, life, attempts, result, dueInMs, cause, n];
      const { changes } = this.#move.run(...values, row[LEASED_ROW.auditBlock]);
      if (changes !== 1) throw new OutdatedLease();
      if (to === DEAD) this.#deadLetters.add([n], group === undefined ? [] : [group]);
    }
    step.lanes.count(lane, LEASED, to);
    step.record({
      id: command[SETTLE.id],
      event: template[SETTLE_TEMPLATE.byRescue] ? 'lease_lost' : 'settle',
      from: LEASED,
      to,
      revision,
      token,
      generation: template[SETTLE_TEMPLATE.generation],
      executions: template[SETTLE_TEMPLATE.executions],
      previousBlock: row[LEASED_ROW.auditBlock],
      detail: template[SETTLE_TEMPLATE.detail],
      own: command[SETTLE.own],
    });
    // Its limit key has room for another job.
    if (limitKey !== null) this.#limitKeys.release(limitKey);
    if (isFinished) step.finishedSome = true;
    // Scheduled too: workers claim, and learn when the next job is due.
    if (limitKey !== null || to === READY || to === SCHEDULED) step.madeReady = true;
  }
}
