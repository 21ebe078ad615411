import type { Timer } from '@redrive/core';
import type { ControlView } from '../control/control-view.ts';
import type {
  Actor,
  ClaimCommand,
  ClaimResult,
  Command,
  Result,
  SettleResult,
  TickResult,
} from '../store/commands.ts';
import { ClaimPlan, type ClaimPlanParts, type Underway } from './claim-plan.ts';
import type { Executor } from './executor.ts';
import type { HeldJob } from './held-job.ts';
import type { Interruptions } from './interruptions.ts';
import type { LoopRequests } from './loop-requests.ts';
import { UnansweredClaims, type UnansweredClaimsParts } from './store-answers.ts';
import type { StoreContact } from './store-contact.ts';

/** Finished attempts that make a batch by themselves. */
const FULL_BATCH = 500;
/** A finished attempt waits no longer than this for others of the same batch. */
const FLUSH_MS = 2;
/** While one step commits, the next one is on its way. */
const MAX_IN_FLIGHT = 2;
const TICK_LIMIT = 1_000;

export interface ClaimLoopParts extends ClaimPlanParts, UnansweredClaimsParts {
  readonly contact: StoreContact;
  readonly actor: Actor;
  readonly view: Pick<ControlView, 'isFresh' | 'mayClaim' | 'need'>;
  readonly executor: Executor;
  readonly interruptions: Interruptions;
}

/** The commands of one step, and their number by kind. */
interface Asked {
  readonly finished: readonly HeldJob[];
  readonly commands: readonly Command[];
  readonly claims: readonly ClaimCommand[];
  readonly ahead: number;
  readonly hints: number;
  readonly atMs: number;
}

/**
 * The worker's exchange with the store: one step writes finished attempts and claims new jobs, in one commit. Finished
 * attempts go with the next claim when the local queue is half empty, by themselves when they make a full batch, at once
 * when the worker has nothing else to do, and after `FLUSH_MS` in any case.
 */
export class ClaimLoop {
  readonly #parts: ClaimLoopParts;
  readonly #requests: LoopRequests;
  readonly #plan: ClaimPlan;
  readonly #unanswered: UnansweredClaims;
  #looking = false;
  #inFlight = 0;
  #claimsInFlight = 0;
  #aheadInFlight = 0;
  /** Jobs that claims under way may bring. */
  #askedInFlight = 0;
  /** A claim is under way that allows no other beside it. */
  #isExclusive = false;
  #flushTimer: Timer | undefined;
  #claiming = true;
  #onAnswered: (() => void)[] = [];
  #closed = false;

  constructor(parts: ClaimLoopParts) {
    this.#parts = parts;
    this.#plan = new ClaimPlan(parts);
    this.#unanswered = new UnansweredClaims(parts);
    this.#requests = parts.requests;
    parts.requests.onTurn(() => this.#turn());
  }

  /** Whether all finished attempts are written, no step is under way and, while it stops, no claim lacks its answer. */
  get isSettled(): boolean {
    return this.#requests.finished.length === 0 && this.#inFlight === 0 && !this.#mustLook;
  }

  get #mustLook(): boolean {
    return !this.#claiming && this.#unanswered.isAwaited;
  }

  /** No more claims and no more starts. Finished attempts are still written. */
  stopClaiming(): void {
    this.#claiming = false;
    this.#unanswered.lookOnceMore();
  }

  /** Resolves when the store has answered, or failed to answer, every question. */
  async answered(): Promise<void> {
    if (this.#inFlight === 0 && !this.#mustLook) return;
    await new Promise<void>((resolve) => this.#onAnswered.push(resolve));
  }

  /** Sets no further timer. A late outcome is still written if that can be done at once. */
  close(): void {
    this.#closed = true;
    this.#unanswered.close();
    this.#flushTimer?.cancel();
    this.#flushTimer = undefined;
  }

  #turn(): void {
    this.#startNext();
    if (this.#wantsLook()) {
      this.#inFlight += 1;
      this.#looking = true;
      void this.#look();
    }
    while (this.#inFlight < MAX_IN_FLIGHT && this.#parts.contact.isOpen) {
      if (!this.#wantsClaim() && !this.#mustWrite()) break;
      this.#inFlight += 1;
      void this.#exchange();
    }
    if (this.#requests.finished.length > 0 && !this.#closed) this.#flushSoon();
  }

  /** No job starts while the kill switches are not confirmed. */
  #startNext(): void {
    const { jobs, queue, executor, concurrency, view } = this.#parts;
    while (this.#claiming && jobs.running < concurrency && view.isFresh()) {
      const held = queue.take();
      if (held === undefined) return;
      executor.start(held);
    }
  }

  #wantsClaim(): boolean {
    if (!this.#mayClaim) return false;
    const { finished, claimsAnyway } = this.#requests;
    const underway = this.#underway(finished);
    if (this.#plan.wantsSuspects(underway)) return true;
    return claimsAnyway && this.#plan.isWanted(underway);
  }

  /** No claim while it is unknown which jobs are held already, or which are stopped. */
  get #mayClaim(): boolean {
    if (!this.#claiming || this.#isExclusive) return false;
    return !this.#unanswered.isDue && this.#parts.view.mayClaim;
  }

  #underway(settling: readonly HeldJob[]): Underway {
    return {
      running: this.#parts.jobs.running,
      claims: this.#claimsInFlight,
      ahead: this.#aheadInFlight,
      asked: this.#askedInFlight,
      settling,
      isUnsure: this.#unanswered.isOpen,
    };
  }

  #mustWrite(): boolean {
    const { tickDue, finished, flushDue } = this.#requests;
    if (tickDue && this.#claiming) return true;
    if (finished.length === 0) return false;
    const { jobs, queue } = this.#parts;
    const isIdle = jobs.running === 0 && queue.size === 0;
    const isUrgent = flushDue || isIdle || !this.#claiming;
    return finished.length >= FULL_BATCH || (this.#inFlight === 0 && isUrgent);
  }

  #flushSoon(): void {
    this.#flushTimer ??= this.#parts.clock.setTimer(FLUSH_MS, () => {
      this.#flushTimer = undefined;
      this.#requests.flush();
    });
  }

  #wantsLook(): boolean {
    return (
      !this.#closed &&
      this.#unanswered.isDue &&
      !this.#looking &&
      this.#claimsInFlight === 0 &&
      this.#parts.contact.isOpen
    );
  }

  async #look(): Promise<void> {
    const { contact } = this.#parts;
    await contact.ask('read', () => this.#unanswered.look());
    this.#looking = false;
    this.#answer();
  }

  /** One step: sends the commands and carries out the answer. */
  async #exchange(): Promise<void> {
    const { contact, policies } = this.#parts;
    // Mostly the policies are registered, and the commands go out in this very turn.
    if (!this.#plan.isRegistered) await contact.ask('policies', () => policies.register());
    // If the store did not answer, another turn comes with the next contact.
    if (this.#plan.isRegistered) await this.#askStore();
    this.#answer();
  }

  #answer(): void {
    this.#inFlight -= 1;
    for (const resolve of this.#onAnswered.splice(0)) resolve();
    this.#requests.wake();
  }

  async #askStore(): Promise<void> {
    const { store, contact } = this.#parts;
    const asked = this.#ask();
    const results = await contact.ask<readonly Result[]>('claims', () =>
      store.apply(asked.commands),
    );
    this.#claimsInFlight -= asked.claims.length;
    this.#aheadInFlight -= asked.ahead;
    this.#askedInFlight -= jobsOf(asked.claims);
    if (asked.claims.some(isExclusive)) this.#isExclusive = false;
    if (results === undefined) this.#takeBack(asked);
    else this.#carryOut(asked, results);
  }

  #ask(): Asked {
    const requests = this.#requests;
    const { finished, hints } = requests;
    requests.finished = [];
    requests.flushDue = false;
    const commands: Command[] = [];
    for (const { settlement } of finished) {
      if (settlement !== undefined) commands.push({ kind: 'settle', settlement });
    }
    if (requests.tickDue && this.#claiming) {
      requests.tickDue = false;
      commands.push({ kind: 'tick', limit: TICK_LIMIT, actor: this.#parts.actor });
    }
    const claims = this.#mayClaim ? this.#plan.commands(this.#underway(finished)) : [];
    const ahead = claims.reduce((sum, claim) => sum + claim.ahead, 0);
    commands.push(...claims);
    // The controls are confirmed while the claim is under way, so that its jobs can start at once.
    if (claims.length > 0) this.#parts.view.need();
    this.#claimsInFlight += claims.length;
    this.#aheadInFlight += ahead;
    this.#askedInFlight += jobsOf(claims);
    this.#isExclusive ||= claims.some(isExclusive);
    const atMs = this.#parts.clock.monotonic();
    return { finished, commands, claims, ahead, hints, atMs };
  }

  #carryOut({ finished, commands, hints, atMs }: Asked, results: readonly Result[]): void {
    const { answers, ahead, company, interruptions } = this.#parts;
    const requests = this.#requests;
    let claimed = 0;
    let more = false;
    let isClaim = false;
    for (const [index, command] of commands.entries()) {
      // One result per command, of its kind.
      const result = results[index];
      if (command.kind === 'settle') {
        const held = finished[index]; // Settlements come first, in the same order.
        if (held !== undefined) answers.settled(held, result as SettleResult);
      } else if (command.kind === 'tick') {
        answers.ticked(result as TickResult);
      } else if (command.kind === 'claim') {
        const claim = result as ClaimResult;
        if (command.only !== undefined) {
          company.claimed(claim, command);
          answers.claimed(claim, atMs);
          // There may be more suspects, and other claims have waited for this one.
          if (claim.jobs.length > 0) requests.expectWork();
          continue;
        }
        company.passedOver(claim, command);
        isClaim = true;
        claimed += claim.jobs.length;
        // A claim that filled its limit does not say whether there is more.
        more ||= claim.more || (claim.jobs.length > 0 && claim.jobs.length >= command.limit);
        this.#plan.lastTenant = claim.lastTenant;
        ahead.claimed(command, claim, this.#parts.clock.monotonic() - atMs);
        answers.claimed(claim, atMs);
      }
    }
    // A claim that was under way when the worker stopped.
    if (!this.#claiming) interruptions.giveBack(() => true);
    // The claim answers notices from before it, not those since.
    if (!isClaim || hints !== requests.hints) return;
    requests.workExpected = more;
    requests.isStuck = claimed === 0;
  }

  /** The store did not answer, and may have written this. It is asked again. */
  #takeBack({ finished, commands, claims, atMs }: Asked): void {
    if (claims.length > 0) this.#unanswered.add(atMs);
    for (const held of finished) held.unsure = true;
    this.#requests.finished = [...finished, ...this.#requests.finished];
    if (commands.some(({ kind }) => kind === 'tick')) this.#requests.tickDue = true;
  }
}

/** It promises to claim nothing else, or counts the held jobs. */
function isExclusive({ only, alone }: ClaimCommand): boolean {
  return only !== undefined || alone === true;
}

function jobsOf(claims: readonly ClaimCommand[]): number {
  return claims.reduce((sum, { limit, ahead }) => sum + limit + ahead, 0);
}
