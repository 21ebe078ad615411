import type { DatabaseSync } from 'node:sqlite';
import { chargedAttempts } from '@redrive/core';
import type { EncodedClaim, EncodedLane } from '../command/encoded.ts';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import { encodeLease, type JobRow } from '../job/job-row.ts';
import { decodeLife, UNTRIED } from '../job/life-code.ts';
import { LEASED, READY } from '../job/states.ts';
import type { Lane } from './lanes.ts';
import type { LimitKeys } from './limit-keys.ts';
import type { Pauses } from './pauses.ts';
import { type Answer, walkQueue } from './queue-walk.ts';
import { LIMIT_KEY, ReadyJobs, type ReadyRow } from './ready-jobs.ts';
import type { Step } from './step.ts';
import type { Upkeep } from './upkeep.ts';

/** Due jobs that one claim promotes. The rest follows with the next one. */
const MAX_PROMOTED = 1_000;
/** Jobs that one claim holds back because of their limit key. */
const MAX_HELD = 5_000;
/** Jobs that one claim passes over because they are not to be taken ahead. They stay where they are, so this is little. */
const MAX_PASSED = 64;

/** A claim's result on its way back. */
export interface Claimed {
  readonly rows: readonly JobRow[];
  readonly lastTenant: string | null;
  readonly more: boolean;
  readonly nowMs: number;
  readonly nextDueInMs: number | null;
}

/** Takes ready jobs. */
export class Claim {
  readonly #ready: ReadyJobs;
  readonly #limitKeys: LimitKeys;
  readonly #pauses: Pauses;
  readonly #upkeep: Upkeep;
  readonly #lease: Statement;
  readonly #leaseWithKeys: Statement;
  readonly #nextDue: Query<[dueAt: number]>;

  constructor(db: DatabaseSync, limitKeys: LimitKeys, pauses: Pauses, upkeep: Upkeep) {
    this.#ready = new ReadyJobs(db);
    this.#limitKeys = limitKeys;
    this.#pauses = pauses;
    this.#upkeep = upkeep;
    const changed = `state = ${LEASED}, revision = ?, token = ?, audit_block = ?, ready_lane = NULL, lease_until = ?,
      lease = ?`;
    this.#lease = statement(db, `UPDATE jobs SET ${changed} WHERE n = ?`);
    this.#leaseWithKeys = statement(
      db,
      `UPDATE jobs SET ${changed}, leased_key = limit_key, expires_at = NULL WHERE n = ?`,
    );
    this.#nextDue = query(
      db,
      'SELECT due_at FROM jobs WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1',
    );
  }

  claim(step: Step, command: EncodedClaim): Claimed {
    const [, , , limit, ahead, afterTenant] = command;
    const promoted = this.#upkeep.promote(step, MAX_PROMOTED);
    for (const [handler, , , , limitPerKey] of command[7])
      this.#limitKeys.widen(handler, limitPerKey);
    const picking = new Picking(step.nowMs, command, this.#limitKeys);
    const walk = {
      ready: this.#ready,
      nowMs: step.nowMs,
      wanted: limit + ahead,
      isOpen: ({ handler }: Lane) => picking.isOpen(handler),
      offer: (row: ReadyRow, lane: Lane) => picking.offer(row, lane),
    };
    walkQueue(walk, this.#openLanes(step, command), afterTenant);
    const rows = this.#leaseAll(step, command, picking.picked);
    const nextDueAt = this.#nextDue.get()?.[0];
    return {
      rows,
      lastTenant: rows.at(-1)?.[4] ?? afterTenant,
      more: picking.more || promoted === MAX_PROMOTED,
      nowMs: step.nowMs,
      nextDueInMs: nextDueAt === undefined ? null : Math.max(0, nextDueAt - step.nowMs),
    };
  }

  /** The lanes of the command's handlers and queues that are not paused. */
  #openLanes(step: Step, [, , , , , , queues, lanes]: EncodedClaim): Lane[] {
    return lanes
      .flatMap(([handler]) => step.lanes.ofHandler(handler))
      .filter(({ queue, handler }) => {
        if (queues !== null && !queues.includes(queue)) return false;
        return !this.#pauses.cover(queue, handler);
      });
  }

  #leaseAll(step: Step, [, worker, leaseMs]: EncodedClaim, picked: readonly Picked[]): JobRow[] {
    const untilMs = step.nowMs + leaseMs;
    const leases = new Map<string, string>();
    return picked.map(({ row, lane, settings }) => {
      const [, , policyHash] = settings;
      let lease = leases.get(policyHash);
      if (lease === undefined) {
        lease = encodeLease([worker, step.nowMs, policyHash]);
        leases.set(policyHash, lease);
      }
      const [n, id] = row;
      const revision = row[8] + 1;
      const token = row[9] + 1;
      const previousBlock = row[10];
      const plain = row[12] === null && row[LIMIT_KEY] === null;
      const update = plain ? this.#lease : this.#leaseWithKeys;
      update.run(revision, token, step.block, untilMs, lease, n);
      const { account } = row[20] === null ? UNTRIED : decodeLife(row[20]);
      step.lanes.count(lane.lane, READY, LEASED);
      step.record({
        id,
        event: 'claim',
        from: READY,
        to: LEASED,
        revision,
        token,
        generation: account.generation,
        executions: account.executions + 1,
        previousBlock,
        detail: settings[5],
      });
      row[2] = lane.queue;
      row[3] = lane.handler;
      row[7] = LEASED;
      row[8] = revision;
      row[9] = token;
      row[10] = step.block;
      row[15] = untilMs;
      row[16] = lease;
      row.pop();
      // Without its limit key it is the row of a job.
      return row as unknown as JobRow;
    });
  }
}

interface Picked {
  readonly row: ReadyRow;
  readonly lane: Lane;
  readonly settings: EncodedLane;
}

/** One claim's choice. */
class Picking {
  readonly picked: Picked[] = [];
  #more = false;
  #skipped = false;
  readonly #nowMs: number;
  readonly #limitKeys: LimitKeys;
  readonly #lanes: Map<string, { readonly settings: EncodedLane; room: number }>;
  readonly #leasedPerKey = new Map<string, number>();
  #room: number;
  #aheadRoom: number;
  #passed = 0;
  #held = 0;

  constructor(nowMs: number, [, , , limit, ahead, , , lanes]: EncodedClaim, limitKeys: LimitKeys) {
    this.#nowMs = nowMs;
    this.#limitKeys = limitKeys;
    this.#room = limit;
    this.#aheadRoom = ahead;
    this.#lanes = new Map(
      lanes.map((settings) => [settings[0], { settings, room: settings[1] }] as const),
    );
  }

  /** A handler without room is not looked at, unless its jobs may be taken ahead or would show that there are more. */
  isOpen(handler: string): boolean {
    if (this.#room === 0 || this.#aheadRoom > 0) return true;
    const isOpen = (this.#lanes.get(handler)?.room ?? 0) > 0;
    this.#skipped ||= !isOpen;
    return isOpen;
  }

  /** Whether there was a job that could have been taken, but for the room, or may have been. */
  get more(): boolean {
    return this.#more || (this.#skipped && this.#room === 0);
  }

  offer(row: ReadyRow, lane: Lane): Answer {
    const wanted = this.#lanes.get(lane.handler);
    if (wanted === undefined) return 'pass';
    const { settings } = wanted;
    const key = row[LIMIT_KEY];
    if (key !== null) {
      const limitPerKey = settings[4];
      if (this.#leased(key) >= limitPerKey) return this.#hold(row[0], key, lane, limitPerKey);
      const deadlineAt = row[12];
      if (deadlineAt !== null && deadlineAt <= this.#nowMs) {
        const { lane: number } = lane;
        return this.#limitKeys.releaseBehind(key, number, row[4]) ? 'look again' : 'pass';
      }
    }
    if (this.#room > 0 && wanted.room > 0) {
      this.#room -= 1;
      wanted.room -= 1;
    } else if (this.#aheadRoom > 0 && isSafeAhead(row[20], settings[3])) {
      this.#aheadRoom -= 1;
    } else {
      if (this.#room === 0) this.#more = true;
      return this.#room === 0 && this.#aheadRoom === 0 ? 'stop' : this.#pass();
    }
    if (key !== null) this.#leasedPerKey.set(key, this.#leased(key) + 1);
    this.picked.push({ row, lane, settings });
    return 'take';
  }

  #leased(key: string): number {
    let leased = this.#leasedPerKey.get(key);
    if (leased === undefined) {
      leased = this.#limitKeys.leased(key);
      this.#leasedPerKey.set(key, leased);
    }
    return leased;
  }

  #hold(n: number, key: string, { handler }: Lane, limitPerKey: number): Answer {
    this.#limitKeys.hold(n, key, handler, limitPerKey);
    this.#held += 1;
    return this.#held < MAX_HELD ? 'pass' : this.#giveUp();
  }

  #pass(): Answer {
    this.#passed += 1;
    return this.#passed < MAX_PASSED ? 'pass' : this.#giveUp();
  }

  #giveUp(): Answer {
    this.#more = true;
    return 'stop';
  }
}

/** Whether a crash of its holder would not hurt: it is not on its last attempt, and no suspect itself. */
function isSafeAhead(life: string | null, maxAttempts: number): boolean {
  const { account } = decodeLife(life);
  return chargedAttempts(account) + 1 < maxAttempts && account.entries.lease_lost === 0;
}
