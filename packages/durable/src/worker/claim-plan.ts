import type { Clock } from '@redrive/core';
import { SUSPECT_LOSSES } from '../job/suspects.ts';
import type { ClaimCommand, ClaimLane } from '../store/commands.ts';
import type { ClaimAhead } from './claim-ahead.ts';
import type { Company, SuspectClaim } from './company.ts';
import type { HeldJob } from './held-job.ts';
import type { HeldJobs } from './held-jobs.ts';
import type { Lane, LocalQueue } from './local-queue.ts';
import type { PolicyVersions } from './policy-versions.ts';

export interface ClaimPlanParts {
  readonly clock: Clock;
  readonly policies: PolicyVersions;
  readonly lanes: readonly Lane[];
  readonly queue: LocalQueue;
  readonly ahead: ClaimAhead;
  readonly company: Company;
  readonly jobs: HeldJobs;
  readonly worker: string;
  readonly leaseMs: number;
  readonly concurrency: number;
  readonly queues?: readonly string[] | undefined;
}

/** More jobs are claimed when the local queue falls to this part of its target: above one half, so that two steps overlap. */
const LOW = 0.55;

const NONE: ReadonlySet<Lane> = new Set();

/** Attempts and claims that are under way. */
export interface Underway {
  /** Attempts that run. */
  readonly running: number;
  readonly claims: number;
  /** Jobs that those claims may take ahead. */
  readonly ahead: number;
  /** Jobs that those claims may take. */
  readonly asked: number;
  /** Finished attempts that go to the store before the next claim, in the same step. */
  readonly settling: readonly HeldJob[];
  /** Whether this worker may have leases that it does not know of. */
  readonly isUnsure: boolean;
}

/** Plans the worker's claims: enough jobs for all that may run, and a few ahead of time. */
export class ClaimPlan {
  readonly #parts: ClaimPlanParts;
  /** The tenant whose turn was last. */
  lastTenant: string | undefined;

  constructor(parts: ClaimPlanParts) {
    this.#parts = parts;
  }

  /** Whether the store knows the versions of all policies: not before, anything may refer to them. */
  get isRegistered(): boolean {
    const { policies, lanes } = this.#parts;
    for (const { handler } of lanes) policies.ofHandler(handler);
    return policies.isRegistered;
  }

  /** Whether suspects can be claimed now, or are to be looked for. */
  wantsSuspects(underway: Underway): boolean {
    return this.#suspects(underway) !== undefined;
  }

  /** Whether there is room for jobs, or too few wait here. */
  isWanted(underway: Underway): boolean {
    const { lanes, queue, concurrency, company } = this.#parts;
    if (company.isDraining || this.#left(underway) <= 0) return false;
    const { running, claims, ahead } = underway;
    const hasRoom = claims === 0 && running + queue.size < concurrency;
    if (hasRoom && lanes.some(({ room }) => room > 0)) return true;
    const target = this.#target();
    return target > 0 && queue.size + ahead <= LOW * target;
  }

  /**
   * The claims that there is room for. Slow handlers are not claimed ahead; where there are both, one claim fills the room and
   * another one, of the fast handlers only, goes ahead.
   */
  commands(underway: Underway): ClaimCommand[] {
    const { lanes, queue, concurrency, company } = this.#parts;
    const suspects = this.#suspects(underway);
    if (suspects !== undefined) {
      const claim = this.#claim(lanes, this.#goingAhead(), suspects.limit, 0);
      return [{ ...claim, ...suspects }];
    }
    const left = this.#left(underway);
    if (company.isDraining || left <= 0) return [];
    const { running, claims, ahead } = underway;
    const target = this.#target();
    const room = Math.max(0, concurrency - running - queue.size);
    // One more than there is room for: a job that may not be claimed ahead must get its turn all the same.
    const fast = target > 0 ? this.#goingAhead() : NONE;
    const least = fast.size > 0 ? 1 : 0;
    const limit = claims > 0 ? 0 : Math.min(left, Math.max(room, least));
    const aheadBy = Math.min(left - limit, Math.max(0, target - queue.size - ahead));
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
      commands.length === 1 && limit === 1 && aheadBy === 0 && this.#mayPromise(underway);
    return commands.map((claim) =>
      isAlone ? { ...claim, alone: true } : { ...claim, maxLosses: SUSPECT_LOSSES - 1 },
    );
  }

  /** Not beside another claim, whose jobs are not known yet. */
  #suspects(underway: Underway): SuspectClaim | undefined {
    const { company } = this.#parts;
    if (underway.claims > 0 || underway.isUnsure) return undefined;
    const { settling } = underway;
    return company.claim(this.#held(underway), company.most(settling)) ?? company.look();
  }

  /** The number of jobs that will be held before the next claim's jobs come. */
  #held({ settling, asked }: Underway): number {
    return this.#parts.jobs.all.size - settling.length + asked;
  }

  /** How many more may be held for the sake of suspects that are. */
  #left(underway: Underway): number {
    return this.#parts.company.most(underway.settling) - this.#held(underway);
  }

  #mayPromise(underway: Underway): boolean {
    return underway.claims === 0 && !underway.isUnsure && this.#held(underway) === 0;
  }

  #target(): number {
    const { ahead, concurrency, lanes, clock } = this.#parts;
    return ahead.target(concurrency, lanes, clock.monotonic());
  }

  #goingAhead(): ReadonlySet<Lane> {
    const { lanes, ahead } = this.#parts;
    return new Set(lanes.filter((lane) => ahead.goesAhead(lane)));
  }

  #claim(
    lanes: readonly Lane[],
    fast: ReadonlySet<Lane>,
    limit: number,
    ahead: number,
  ): ClaimCommand {
    const { worker, leaseMs, queues } = this.#parts;
    return {
      kind: 'claim',
      worker,
      leaseMs,
      lanes: lanes.map((lane) => this.#claimLane(lane, fast.has(lane) ? 1 : 0)),
      limit,
      ahead,
      queues,
      afterTenant: this.lastTenant,
    };
  }

  #claimLane(lane: Lane, least: number): ClaimLane {
    const { handler, room, fewestAttempts } = lane;
    const { hash, maxAttempts } = this.#parts.policies.ofHandler(handler);
    return {
      handler: handler.name,
      limit: Math.max(room, least),
      policyHash: hash,
      maxAttempts: Math.min(maxAttempts, fewestAttempts),
      limitPerKey: handler.limitPerKey,
    };
  }
}
