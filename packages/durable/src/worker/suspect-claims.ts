import type { Clock } from '@redrive/core';
import { sessionRandom } from '@redrive/core/stored';
import { lossesOf, maxJobsBeside, SUSPECT_LOSSES, type Suspect } from '../job/suspects.ts';
import type { ClaimCommand, ClaimResult } from '../store/commands.ts';
import type { HeldJob } from './held-job.ts';

/** A worker claims other jobs for at least this long before it stops claiming for a suspect's sake. */
const MIN_PATIENCE_MS = 1_000;
/** When it has stopped, it claims suspects for at least this long, or for as long as it took to drain. */
const MIN_TURN_MS = 1_000;
/** And for no longer than this, twice at most. */
const MAX_PATIENCE_MS = 60_000;
/** While it has stopped, it looks this often whether another worker has taken the suspects. */
const LOOK_EVERY_MS = 1_000;

interface SuspectClaimsParts {
  readonly clock: Clock;
  readonly worker: string;
  readonly concurrency: number;
}

/** The part of a claim that says which suspects it is about. */
export type SuspectClaim = Required<Pick<ClaimCommand, 'only' | 'limit' | 'alone'>> &
  Pick<ClaimCommand, 'maxLosses'>;

/**
 * How many jobs this worker may hold together, for the sake of suspects: jobs that lost three leases in a row or more, and may
 * be what ended their processes.
 *
 * ```
 * ordinary claims ── one passed a suspect over ──► ordinary claims, until the patience is over
 *        ▲                                                     │
 *        │                                                     ▼
 *  the suspects are claimed, ◄── few enough are held ──  no ordinary claims: the worker drains
 *  one after the other, until their turn is over, none waits, or another worker has them
 * ```
 *
 * Where few enough jobs are held already, the suspects are claimed at once.
 */
export class SuspectClaims {
  readonly #parts: SuspectClaimsParts;
  /** Held suspects, each with the number of jobs that may be held together with it, itself included. */
  readonly #held = new Map<HeldJob, number>();
  /** As the last claim named them. */
  #waiting: readonly Suspect[] = [];
  /** From then on a claim that passes over suspects makes the worker drain. */
  #patientUntilMs = Infinity;
  #drainingSinceMs: number | undefined;
  #lookedAtMs = 0;
  /** The worker has drained, and claims suspects until then. */
  #turnEndsAtMs: number | undefined;
  /** How long the worker last drained and ran suspects: it claims other jobs for as long before it drains again. */
  #lastDrainMs = 0;
  #drains = 0;

  constructor(parts: SuspectClaimsParts) {
    this.#parts = parts;
  }

  /** No ordinary claims until the held jobs have finished. */
  get isDraining(): boolean {
    return this.#drainingSinceMs !== undefined;
  }

  add(held: HeldJob): void {
    const { account, lease } = held.job;
    const most = 1 + (lease.alone ? 0 : maxJobsBeside(lossesOf(account), this.#parts.concurrency));
    if (most < Infinity) this.#held.set(held, most);
  }

  remove(held: HeldJob): void {
    this.#held.delete(held);
  }

  /** How many jobs may be held, when `settling` are settled. `Infinity`: any number. */
  maxHeld(settling: readonly HeldJob[]): number {
    let most = Infinity;
    for (const [held, own] of this.#held) {
      if (own < most && !settling.includes(held)) most = own;
    }
    return most;
  }

  /** The suspects that an ordinary claim has passed over. */
  passedOver({ suspects = [], jobs, more }: ClaimResult, { limit }: ClaimCommand): void {
    if (suspects.length === 0) {
      // A claim that filled the room may not have read so far.
      if (!more && jobs.length < limit) this.#forget();
      return;
    }
    const { clock, worker } = this.#parts;
    const nowMs = clock.monotonic();
    this.#waiting = suspects;
    if (this.#patientUntilMs === Infinity) {
      const patienceMs = Math.min(Math.max(MIN_PATIENCE_MS, this.#lastDrainMs), MAX_PATIENCE_MS);
      // Workers come apart: the first one takes the suspects, and the others need not drain.
      this.#patientUntilMs = nowMs + patienceMs * (1 + sessionRandom(worker, this.#drains));
    } else if (this.#patientUntilMs <= nowMs && !this.isDraining) {
      this.#drainingSinceMs = nowMs;
      this.#lookedAtMs = nowMs;
      this.#drains += 1;
    }
  }

  /**
   * The suspects to claim now, where `held` jobs are held besides. The first one in the queue says how many jobs may
   * be held beside it; others that allow as many come along.
   */
  claim(held: number, most: number): SuspectClaim | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    const others = maxJobsBeside(first.losses, this.#parts.concurrency);
    const limit = Math.min(others + 1, most) - held;
    if (limit <= 0) return undefined;
    const only = this.#waiting.map(({ id }) => id);
    return others === 0
      ? { only, limit, alone: true }
      : { only, limit, alone: false, maxLosses: first.losses };
  }

  /** While it drains, now and then: a claim that takes nothing and says which suspects are still there. */
  look(): SuspectClaim | undefined {
    const nowMs = this.#parts.clock.monotonic();
    if (!this.isDraining || nowMs < this.#lookedAtMs + LOOK_EVERY_MS) return undefined;
    const only = this.#waiting.map(({ id }) => id);
    return { only, limit: 0, alone: false, maxLosses: SUSPECT_LOSSES - 1 };
  }

  /** The answer to `claim` or `look`. */
  claimed({ suspects = [], jobs }: ClaimResult, { limit }: ClaimCommand): void {
    const nowMs = this.#parts.clock.monotonic();
    this.#lookedAtMs = nowMs;
    if (limit === 0) {
      this.#waiting = suspects;
    } else if (jobs.length === 0 || this.#isTurnOver(nowMs)) {
      this.#waiting = [];
    } else {
      const taken = new Set(jobs.map(({ id }) => id));
      this.#waiting = this.#waiting.filter(({ id }) => !taken.has(id));
    }
    if (this.#waiting.length === 0) this.#forget();
  }

  /** Draining is expensive: a worker that has drained claims the other waiting suspects too, for as long as it drained. */
  #isTurnOver(nowMs: number): boolean {
    if (this.#drainingSinceMs === undefined) return true;
    this.#turnEndsAtMs ??= nowMs + Math.max(MIN_TURN_MS, nowMs - this.#drainingSinceMs);
    return nowMs >= this.#turnEndsAtMs;
  }

  /** Forgets the suspects: they are held here, another worker has them, or it is the turn of other jobs. */
  #forget(): void {
    this.#waiting = [];
    this.#patientUntilMs = Infinity;
    this.#turnEndsAtMs = undefined;
    if (this.#drainingSinceMs === undefined) return;
    this.#lastDrainMs = this.#parts.clock.monotonic() - this.#drainingSinceMs;
    this.#drainingSinceMs = undefined;
  }
}
