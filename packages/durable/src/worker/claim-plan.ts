import type { Clock } from '@redrive/core';
import type { ClaimRates } from '../control/claim-rates.ts';
import { SUSPECT_LOSSES } from '../job/suspects.ts';
import type { ClaimCommand, ClaimLane, ClaimResult } from '../store/commands.ts';
import type { ClaimAhead } from './claim-ahead.ts';
import type { HeldJob } from './held-job.ts';
import type { HeldJobs, Lane } from './held-jobs.ts';
import type { PolicyVersions } from './policy-versions.ts';
import type { UnansweredClaims } from './store-answers.ts';
import type { SuspectClaim, SuspectClaims } from './suspect-claims.ts';

export interface ClaimPlanParts {
  readonly clock: Clock;
  readonly policies: PolicyVersions;
  readonly ahead: ClaimAhead;
  readonly rates: ClaimRates;
  readonly suspectClaims: SuspectClaims;
  readonly jobs: HeldJobs;
  readonly unanswered: Pick<UnansweredClaims, 'isOpen' | 'isDue'>;
  readonly worker: string;
  readonly leaseMs: number;
  readonly concurrency: number;
  readonly queues?: readonly string[] | undefined;
}

/** More jobs are claimed when the local queue falls to this part of its target: above one half, so that two steps overlap. */
const LOW = 0.55;

const NONE: ReadonlySet<Lane> = new Set();

/**
 * Plans the worker's claims: enough jobs for all that may run, and a few ahead of time. Counts the claims under way. A
 * suspect is a job that lost its lease repeatedly, perhaps because it kills its process: it is claimed with little or no
 * company (see `job/suspects`).
 */
export class ClaimPlan {
  readonly #parts: ClaimPlanParts;
  #underway = 0;
  /** Jobs that the claims under way may bring. */
  #jobsUnderway = 0;
  /** Those of them that are claimed ahead. */
  #aheadUnderway = 0;
  /** A claim is under way that allows no other beside it. */
  #isExclusive = false;
  /** The tenant whose turn was last. */
  #lastTenant: string | undefined;

  constructor(parts: ClaimPlanParts) {
    this.#parts = parts;
  }

  /** Whether the store knows the versions of all policies: not before, anything may refer to them. */
  get isRegistered(): boolean {
    const { policies, jobs } = this.#parts;
    for (const { handler } of jobs.lanes) policies.ofHandler(handler);
    return policies.isRegistered;
  }

  /** Claims that the store has not answered yet. */
  get underway(): number {
    return this.#underway;
  }

  /** No claim while it is unknown which jobs are held already, or beside one that allows no other. */
  get isPossible(): boolean {
    return !this.#isExclusive && !this.#parts.unanswered.isDue;
  }

  /** Whether suspects can be claimed now, or are to be looked for. `settling`: see `begin`. */
  wantsSuspects(settling: readonly HeldJob[]): boolean {
    return this.#suspects(settling) !== undefined;
  }

  /** Whether there is room for jobs, or too few wait here. `settling`: see `begin`. */
  isWanted(settling: readonly HeldJob[]): boolean {
    const { concurrency, suspectClaims, jobs } = this.#parts;
    const { lanes, queue } = jobs;
    if (suspectClaims.isDraining || this.#left(settling) <= 0) return false;
    const hasRoom = this.#underway === 0 && jobs.running + queue.size < concurrency;
    if (hasRoom && lanes.some(({ room }) => room > 0)) return true;
    const target = this.#target();
    return target > 0 && queue.size + this.#aheadUnderway <= LOW * target;
  }

  /**
   * The claims that there is room for; they are under way from now on.
   *
   * @param settling finished attempts that go to the store before the claims, in the same step.
   */
  begin(settling: readonly HeldJob[]): ClaimCommand[] {
    const claims = this.#commands(settling);
    this.#underway += claims.length;
    for (const { limit, ahead } of claims) {
      this.#jobsUnderway += limit + ahead;
      this.#aheadUnderway += ahead;
    }
    this.#isExclusive ||= claims.some(isExclusive);
    return claims;
  }

  /** The store has answered the claims of one `begin`, or will not. */
  answered(claims: readonly ClaimCommand[]): void {
    this.#underway -= claims.length;
    for (const { limit, ahead } of claims) {
      this.#jobsUnderway -= limit + ahead;
      this.#aheadUnderway -= ahead;
    }
    if (claims.some(isExclusive)) this.#isExclusive = false;
  }

  /** Learns from the answer to a claim. */
  learn(claim: ClaimCommand, result: ClaimResult, answerMs: number): void {
    const { suspectClaims, ahead } = this.#parts;
    if (claim.only !== undefined) {
      suspectClaims.claimed(result, claim);
      return;
    }
    suspectClaims.passedOver(result, claim);
    this.#lastTenant = result.lastTenant;
    ahead.claimed(claim, result, answerMs);
  }

  /**
   * Slow handlers are not claimed ahead; where there are both, one claim fills the room and another one, of the fast
   * handlers only, goes ahead.
   */
  #commands(settling: readonly HeldJob[]): ClaimCommand[] {
    const { concurrency, suspectClaims, jobs } = this.#parts;
    const { lanes, queue } = jobs;
    const suspects = this.#suspects(settling);
    if (suspects !== undefined) {
      const claim = this.#claim(lanes, this.#goingAhead(), suspects.limit, 0);
      return [{ ...claim, ...suspects }];
    }
    const left = this.#left(settling);
    if (suspectClaims.isDraining || left <= 0) return [];
    const target = this.#target();
    const room = Math.max(0, concurrency - jobs.running - queue.size);
    // At least one, also without room: a job that may not be claimed ahead must get its turn all the same.
    const fast = target > 0 ? this.#goingAhead() : NONE;
    const least = fast.size > 0 ? 1 : 0;
    const limit = this.#underway > 0 ? 0 : Math.min(left, Math.max(room, least));
    const wanted = target - queue.size - this.#aheadUnderway;
    const aheadBy = Math.min(left - limit, Math.max(0, wanted));
    const open = lanes.filter((lane) => lane.room > 0 || fast.has(lane));
    const commands: ClaimCommand[] = [];
    const isMixed = fast.size < open.length;
    if (limit > 0 && open.length > 0) {
      commands.push(this.#claim(open, fast, limit, isMixed ? 0 : aheadBy));
    }
    if ((limit === 0 || isMixed) && aheadBy > 0 && fast.size > 0) {
      commands.push(this.#claim([...fast], fast, 0, aheadBy));
    }
    // A promise to claim nothing else, which a worker of one job at a time keeps anyway.
    const isAlone =
      commands.length === 1 && limit === 1 && aheadBy === 0 && this.#mayPromise(settling);
    return commands.map((claim) =>
      isAlone ? { ...claim, alone: true } : { ...claim, maxLosses: SUSPECT_LOSSES - 1 },
    );
  }

  #suspects(settling: readonly HeldJob[]): SuspectClaim | undefined {
    const { suspectClaims } = this.#parts;
    if (!this.#knowsAll) return undefined;
    return (
      suspectClaims.claim(this.#held(settling), suspectClaims.maxHeld(settling)) ??
      suspectClaims.look()
    );
  }

  #mayPromise(settling: readonly HeldJob[]): boolean {
    return this.#knowsAll && this.#held(settling) === 0;
  }

  /** Whether it is known which jobs this worker has leases of: no other claim is under way or lacks its answer. */
  get #knowsAll(): boolean {
    return this.#underway === 0 && !this.#parts.unanswered.isOpen;
  }

  /** The number of jobs that will be held before the next claim's jobs come. */
  #held(settling: readonly HeldJob[]): number {
    return this.#parts.jobs.all.size - settling.length + this.#jobsUnderway;
  }

  /** The number of jobs that may be claimed: while this worker holds suspects, it holds few other jobs. */
  #left(settling: readonly HeldJob[]): number {
    return this.#parts.suspectClaims.maxHeld(settling) - this.#held(settling);
  }

  #target(): number {
    const { ahead, concurrency, jobs, clock } = this.#parts;
    return ahead.target(concurrency, jobs.lanes, clock.monotonic());
  }

  #goingAhead(): ReadonlySet<Lane> {
    const { jobs, ahead, rates } = this.#parts;
    return new Set(
      jobs.lanes.filter((lane) => ahead.goesAhead(lane) && !rates.isRated(lane.handler)),
    );
  }

  #claim(
    lanes: readonly Lane[],
    fast: ReadonlySet<Lane>,
    limit: number,
    ahead: number,
  ): ClaimCommand {
    const { worker, leaseMs, queues, rates } = this.#parts;
    return {
      kind: 'claim',
      worker,
      leaseMs,
      lanes: lanes.map((lane) => this.#claimLane(lane, fast.has(lane) ? 1 : 0)),
      limit,
      ahead,
      queues,
      afterTenant: this.#lastTenant,
      rates: rates.of(lanes.map(({ handler }) => handler)),
    };
  }

  #claimLane(lane: Lane, least: number): ClaimLane {
    const { handler, room } = lane;
    const { hash } = this.#parts.policies.ofHandler(handler);
    return {
      handler: handler.name,
      limit: Math.max(room, least),
      policyHash: hash,
      limitPerKey: handler.limitPerKey,
    };
  }
}

/** It promises to claim nothing else, or counts the held jobs. */
function isExclusive({ only, alone }: ClaimCommand): boolean {
  return only !== undefined || alone === true;
}
