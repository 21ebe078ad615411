import { AsyncLocalStorage } from 'node:async_hooks';
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
import type { HeldJob } from './held-job.ts';
import type { StoreContact } from './store-contact.ts';
import { UnansweredClaims, type UnansweredClaimsParts } from './unanswered-claims.ts';

/** Ends of attempts that make a batch by themselves. */
const FULL_BATCH = 500;
/** An end waits no longer than this for others to go with. */
const FLUSH_MS = 2;
/** While one step commits, the next one is on its way. */
const MAX_IN_FLIGHT = 2;
const TICK_LIMIT = 1_000;

export interface ClaimLoopParts extends ClaimPlanParts, UnansweredClaimsParts {
  readonly contact: StoreContact;
  readonly actor: Actor;
  readonly startNext: () => void;
  readonly view: Pick<ControlView, 'mayClaim' | 'need'>;
  readonly onClaimed: (claim: ClaimResult, askedAtMs: number) => void;
  readonly onSettled: (held: HeldJob, result: SettleResult) => void;
  readonly onTicked: (tick: TickResult) => void;
}

/** The commands of one step, and their number by kind. */
interface Asked {
  readonly ended: readonly HeldJob[];
  readonly commands: readonly Command[];
  readonly claims: readonly ClaimCommand[];
  readonly ahead: number;
  readonly hints: number;
  readonly atMs: number;
}

/**
 * The worker's exchange with the store: ended attempts go, new jobs come, in one step and one commit. Ends go with the
 * next claim when the local queue is half empty, by themselves when there is a full batch of them, at once when nothing
 * else is to be done, and after a moment in any case.
 */
export class ClaimLoop {
  readonly #parts: ClaimLoopParts;
  readonly #plan: ClaimPlan;
  readonly #unanswered: UnansweredClaims;
  #looking = false;
  #ended: HeldJob[] = [];
  #inFlight = 0;
  #claimsInFlight = 0;
  #aheadInFlight = 0;
  /** Jobs that claims under way may bring. */
  #askedInFlight = 0;
  /** A claim is under way that allows no other beside it. */
  #isExclusive = false;
  /** Whether the store may have jobs to claim. */
  #workExpected = true;
  /** The last claim got nothing although there are jobs: the next one waits for a change. */
  #stuck = false;
  /** Counts the notices of work, to separate those before a claim from those after it. */
  #hints = 0;
  #tickDue = false;
  #flushDue = false;
  #flushTimer: Timer | undefined;
  #turnQueued = false;
  #claiming = true;
  #onAnswered: (() => void)[] = [];
  #closed = false;
  /** Attempts that run. */
  running = 0;
  /** Handlers run in the context that the worker was started in, not in that of the last enqueue. */
  readonly #inOwnContext = AsyncLocalStorage.snapshot();

  constructor(parts: ClaimLoopParts) {
    this.#parts = parts;
    this.#plan = new ClaimPlan(parts);
    this.#unanswered = new UnansweredClaims(parts);
  }

  /** Whether all ends are written, no step is under way and, while it stops, no claim is without an answer. */
  get isSettled(): boolean {
    return this.#ended.length === 0 && this.#inFlight === 0 && !this.#mustLook;
  }

  get #mustLook(): boolean {
    return !this.#claiming && this.#unanswered.isAwaited;
  }

  /** The store may have jobs to claim. */
  expectWork(): void {
    this.#workExpected = true;
    this.#stuck = false;
    this.#hints += 1;
    this.wake();
  }

  /** Something parked may be released, or a deadline has passed. */
  expectTick(): void {
    this.#tickDue = true;
    this.expectWork();
  }

  /** An attempt has ended: its settlement is to be written. */
  add(held: HeldJob): void {
    this.#stuck = false;
    this.#ended.push(held);
    this.wake();
  }

  /** No more claims. Ends are written still. */
  stopClaiming(): void {
    this.#claiming = false;
    this.#unanswered.lookOnceMore();
  }

  /** Resolves when the store has answered, or failed to answer, every question. */
  async answered(): Promise<void> {
    if (this.#inFlight === 0 && !this.#mustLook) return;
    await new Promise<void>((resolve) => this.#onAnswered.push(resolve));
  }

  /** Writes all ends now. */
  flush(): void {
    this.#flushDue = true;
    this.wake();
  }

  /** Sets no timer any more. A late end is still written if that can be done at once. */
  close(): void {
    this.#closed = true;
    this.#unanswered.close();
    this.#flushTimer?.cancel();
    this.#flushTimer = undefined;
  }

  /** Once per burst: jobs that end together are written together. */
  wake(): void {
    if (this.#turnQueued) return;
    this.#turnQueued = true;
    queueMicrotask(() => {
      this.#turnQueued = false;
      this.#inOwnContext(() => this.#turn());
    });
  }

  #turn(): void {
    this.#parts.startNext();
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
    if (this.#ended.length > 0 && !this.#closed) this.#flushSoon();
  }

  #wantsClaim(): boolean {
    if (!this.#mayClaim) return false;
    const underway = this.#underway(this.#ended);
    if (this.#plan.wantsSuspects(underway)) return true;
    return this.#workExpected && !this.#stuck && this.#plan.isWanted(underway);
  }

  /** No claim while it is unknown which jobs are held already, or which are stopped. */
  get #mayClaim(): boolean {
    if (!this.#claiming || this.#isExclusive) return false;
    return !this.#unanswered.isDue && this.#parts.view.mayClaim;
  }

  #underway(ending: readonly HeldJob[]): Underway {
    return {
      running: this.running,
      claims: this.#claimsInFlight,
      ahead: this.#aheadInFlight,
      asked: this.#askedInFlight,
      ending,
      isUnsure: this.#unanswered.isOpen,
    };
  }

  #mustWrite(): boolean {
    if (this.#tickDue && this.#claiming) return true;
    const ended = this.#ended.length;
    if (ended === 0) return false;
    const isIdle = this.running === 0 && this.#parts.queue.size === 0;
    return (
      ended >= FULL_BATCH || (this.#inFlight === 0 && (this.#flushDue || isIdle || !this.#claiming))
    );
  }

  #flushSoon(): void {
    this.#flushTimer ??= this.#parts.clock.setTimer(FLUSH_MS, () => {
      this.#flushTimer = undefined;
      this.flush();
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
    await contact.ask('read', () => this.#unanswered.look(() => this.wake()));
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
    this.wake();
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
    const ended = this.#ended;
    this.#ended = [];
    this.#flushDue = false;
    const commands: Command[] = [];
    for (const { settlement } of ended) {
      if (settlement !== undefined) commands.push({ kind: 'settle', settlement });
    }
    if (this.#tickDue && this.#claiming) {
      this.#tickDue = false;
      commands.push({ kind: 'tick', limit: TICK_LIMIT, actor: this.#parts.actor });
    }
    const claims = this.#mayClaim ? this.#plan.commands(this.#underway(ended)) : [];
    const ahead = claims.reduce((sum, claim) => sum + claim.ahead, 0);
    commands.push(...claims);
    // The controls are confirmed while the claim is under way, so that its jobs can start at once.
    if (claims.length > 0) this.#parts.view.need();
    this.#claimsInFlight += claims.length;
    this.#aheadInFlight += ahead;
    this.#askedInFlight += jobsOf(claims);
    this.#isExclusive ||= claims.some(isExclusive);
    const atMs = this.#parts.clock.monotonic();
    return { ended, commands, claims, ahead, hints: this.#hints, atMs };
  }

  #carryOut({ ended, commands, hints, atMs }: Asked, results: readonly Result[]): void {
    const { onClaimed, onSettled, onTicked, ahead, company } = this.#parts;
    let claimed = 0;
    let more = false;
    let isClaim = false;
    for (const [index, command] of commands.entries()) {
      // One result per command, of its kind.
      const result = results[index];
      if (command.kind === 'settle') {
        const held = ended[index]; // Settlements come first, in the same order.
        if (held !== undefined) onSettled(held, result as SettleResult);
      } else if (command.kind === 'tick') {
        onTicked(result as TickResult);
      } else if (command.kind === 'claim') {
        const claim = result as ClaimResult;
        if (command.only !== undefined) {
          company.claimed(claim, command);
          onClaimed(claim, atMs);
          // There may be more suspects, and other claims have waited for this one.
          if (claim.jobs.length > 0) this.expectWork();
          continue;
        }
        company.passedOver(claim, command);
        isClaim = true;
        claimed += claim.jobs.length;
        // A claim that filled its limit does not say whether there is more.
        more ||= claim.more || (claim.jobs.length > 0 && claim.jobs.length >= command.limit);
        this.#plan.lastTenant = claim.lastTenant;
        ahead.claimed(command, claim, this.#parts.clock.monotonic() - atMs);
        onClaimed(claim, atMs);
      }
    }
    // The claim answers notices from before it, not those since.
    if (!isClaim || hints !== this.#hints) return;
    this.#workExpected = more;
    this.#stuck = claimed === 0;
  }

  /** The store did not answer, and may have written this. It is asked again. */
  #takeBack({ ended, commands, claims, atMs }: Asked): void {
    if (claims.length > 0) this.#unanswered.add(atMs);
    for (const held of ended) held.unsure = true;
    this.#ended = [...ended, ...this.#ended];
    if (commands.some(({ kind }) => kind === 'tick')) this.#tickDue = true;
  }
}

/** It promises to claim nothing else, or counts the held jobs. */
function isExclusive({ only, alone }: ClaimCommand): boolean {
  return only !== undefined || alone === true;
}

function jobsOf(claims: readonly ClaimCommand[]): number {
  return claims.reduce((sum, { limit, ahead }) => sum + limit + ahead, 0);
}
