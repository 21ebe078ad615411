import type { AttemptAccount } from '@redrive/core/stored';
import {
  countsLanes,
  decodeSpec,
  isSafeAhead,
  lossesOf,
  MAX_SUSPECTS,
  type RatedJob,
  type RateRooms,
  type Suspect,
} from '@redrive/durable/store';
import { CLAIM, type EncodedClaim, type EncodedLane, LANE } from '../command/encoded.ts';
import { decodeLife } from '../job/life-code.ts';
import type { Lane } from './lanes.ts';
import type { LimitKeys } from './limit-keys.ts';
import type { Rates } from './rates.ts';
import { READY_ROW, type ReadyRow } from './tenant-jobs.ts';
import type { Answer } from './walk-queue.ts';

/** The most jobs that one claim takes out of the index because of their limit key, or a rate. */
const MAX_HELD = 5_000;
/** The most jobs that one claim skips because they must not be claimed ahead. Small: later claims skip them again. */
const MAX_PASSED = 64;
/** The same for suspects. Larger, because suspects may be before many other jobs for a while. */
const MAX_PASSED_SUSPECTS = 1_000;
/** The most tenants whose flows have no job that one claim reads. The next claim skips them. */
const MAX_EMPTY = 1_000;

/** A job that will be leased. */
export interface Picked {
  readonly row: ReadyRow;
  readonly lane: Lane;
  readonly settings: EncodedLane;
  /** Before the claim. */
  readonly account: AttemptAccount;
}

/** Chooses the jobs of one claim. */
export class Picking {
  readonly picked: Picked[] = [];
  readonly suspects: Suspect[] = [];
  #more = false;
  #skipped = false;
  readonly #nowMs: number;
  readonly #leaseMs: number;
  readonly #limitKeys: LimitKeys;
  readonly #rates: Rates;
  /** Absent: the claim has no rates. */
  readonly #rooms: RateRooms | undefined;
  readonly #byKey: boolean;
  readonly #lanes: Map<string, { readonly settings: EncodedLane; room: number }>;
  readonly #leasedPerKey = new Map<string, number>();
  #room: number;
  #aheadRoom: number;
  readonly #maxLosses: number;
  #passed = 0;
  #passedSuspects = 0;
  #held = 0;
  #empty = 0;

  constructor(
    nowMs: number,
    command: EncodedClaim,
    limitKeys: LimitKeys,
    rates: Rates,
    rooms: RateRooms | undefined,
  ) {
    this.#rates = rates;
    this.#rooms = rooms;
    this.#byKey = command[CLAIM.rates].some(({ by }) => by === 'key');
    this.#nowMs = nowMs;
    this.#leaseMs = command[CLAIM.leaseMs];
    this.#maxLosses = command[CLAIM.maxLosses];
    this.#limitKeys = limitKeys;
    this.#room = command[CLAIM.limit];
    this.#aheadRoom = command[CLAIM.ahead];
    this.#lanes = new Map(
      command[CLAIM.lanes].map(
        (settings) => [settings[LANE.handler], { settings, room: settings[LANE.limit] }] as const,
      ),
    );
  }

  /**
   * Whether the handler's jobs are read. Not if the handler has no room while the claim still has some, unless its jobs may
   * be claimed ahead. A claim without any room reads on, to know `more`.
   */
  isOpen(handler: string): boolean {
    if (this.#room === 0 || this.#aheadRoom > 0) return true;
    const isOpen = (this.#lanes.get(handler)?.room ?? 0) > 0;
    this.#skipped ||= !isOpen;
    return isOpen;
  }

  /** Whether a rate that all its jobs share lets no job of this lane start. */
  isUsedUp(lane: Lane): boolean {
    return this.#rooms?.closes(lane) ?? false;
  }

  /** Whether there are, or may be, more jobs that could be claimed with more room. */
  get more(): boolean {
    return this.#more || (this.#skipped && this.#room === 0);
  }

  offer(row: ReadyRow, lane: Lane): Answer {
    const wanted = this.#lanes.get(lane.handler);
    if (wanted === undefined) return 'pass';
    const { settings } = wanted;
    const key = row[READY_ROW.limitKey];
    if (key !== null) {
      const limitPerKey = settings[LANE.limitPerKey];
      if (this.#leased(key) >= limitPerKey)
        return this.#hold(row[READY_ROW.n], key, lane, limitPerKey);
      // Jobs without a key that are past their deadline are not even read: see `ReadyJobs`.
      const deadlineAt = row[READY_ROW.deadlineAt];
      if (deadlineAt !== null && deadlineAt <= this.#nowMs) {
        const { lane: number } = lane;
        return this.#limitKeys.releaseBehind(key, number, row[READY_ROW.tenant])
          ? 'look again'
          : 'pass';
      }
    }
    const rated = this.#rooms && this.#ratedJob(row, lane);
    const refusal = rated && this.#rooms?.refusal(rated);
    if (refusal !== undefined) return this.#refuse(row, refusal);
    const { account } = decodeLife(row[READY_ROW.life]);
    const losses = lossesOf(account);
    if (losses > this.#maxLosses) return this.#passSuspect({ id: row[READY_ROW.id], losses });
    if (this.#room > 0 && wanted.room > 0) {
      this.#room -= 1;
      wanted.room -= 1;
    } else if (this.#aheadRoom > 0 && this.#isSafeAhead(row, account)) {
      this.#aheadRoom -= 1;
    } else {
      if (this.#room === 0) this.#more = true;
      return this.#room === 0 && this.#aheadRoom === 0 ? 'stop' : this.#pass();
    }
    if (key !== null) this.#leasedPerKey.set(key, this.#leased(key) + 1);
    if (rated !== undefined) this.#rooms?.start(rated);
    this.picked.push({ row, lane, settings, account });
    return 'take';
  }

  #ratedJob(row: ReadyRow, { queue, handler }: Lane): RatedJob {
    const tenant = row[READY_ROW.tenant];
    const rateKey = this.#byKey ? decodeSpec(row[READY_ROW.spec]).rateKey : undefined;
    return { queue, handler, tenant, rateKey };
  }

  /** The job is above a rate. A rate that closes the lane holds no single job. */
  #refuse(row: ReadyRow, { rate, value }: NonNullable<ReturnType<RateRooms['refusal']>>): Answer {
    if (countsLanes(rate)) return this.#pass();
    this.#rates.hold(row[READY_ROW.n], rate.name, value);
    this.#held += 1;
    if (this.#held >= MAX_HELD) return this.#giveUp();
    const key = row[READY_ROW.limitKey];
    if (key === null) return 'pass';
    // Another job of its limit key may start in its place.
    this.#limitKeys.release(key);
    return 'look again';
  }

  #isSafeAhead(row: ReadyRow, account: AttemptAccount): boolean {
    return isSafeAhead(account, row[READY_ROW.deadlineAt], this.#nowMs, this.#leaseMs);
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

  #passSuspect(suspect: Suspect): Answer {
    if (this.suspects.length < MAX_SUSPECTS) this.suspects.push(suspect);
    this.#passedSuspects += 1;
    return this.#passedSuspects < MAX_PASSED_SUSPECTS ? 'pass' : this.#giveUp();
  }

  /** A tenant's flows have no job: its jobs have left the queue, or are past their deadline. */
  passEmpty(): Answer {
    this.#empty += 1;
    return this.#empty < MAX_EMPTY ? 'pass' : this.#giveUp();
  }

  #giveUp(): Answer {
    this.#more = true;
    return 'stop';
  }
}
