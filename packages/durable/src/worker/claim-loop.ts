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
import type { Store } from '../store/store.ts';
import { ClaimPlan, type ClaimPlanParts } from './claim-plan.ts';
import type { Executor } from './executor.ts';
import type { HeldJob } from './held-job.ts';
import type { Interruptions } from './interruptions.ts';
import type { LoopRequests } from './loop-requests.ts';
import type { StoreAnswers, UnansweredClaims } from './store-answers.ts';
import type { StoreContact } from './store-contact.ts';

/** Finished attempts that make a batch by themselves. */
const FULL_BATCH = 500;
/** A finished attempt waits no longer than this for others of the same batch. */
const FLUSH_MS = 2;
/** While one step commits, the next one is on its way. */
const MAX_IN_FLIGHT = 2;
const TICK_LIMIT = 1_000;

interface ClaimLoopParts extends ClaimPlanParts {
  readonly store: Store;
  readonly requests: LoopRequests;
  readonly unanswered: UnansweredClaims;
  readonly answers: StoreAnswers;
  readonly contact: StoreContact;
  readonly actor: Actor;
  readonly view: Pick<ControlView, 'isFresh' | 'mayClaim' | 'need'>;
  readonly executor: Executor;
  readonly interruptions: Interruptions;
}

/** The commands of one exchange with the store: settlements of finished attempts first, then a tick, then claims. */
interface Step {
  readonly finished: readonly HeldJob[];
  readonly commands: readonly Command[];
  readonly claims: readonly ClaimCommand[];
  /** `LoopRequests.hints` when it was sent. */
  readonly hints: number;
  readonly atMs: number;
}

/**
 * The worker's exchange with the store: one step writes finished attempts and claims new jobs, in one commit. Finished
 * attempts go with the next claim when the local queue is half empty, by themselves when they make a full batch, at once
 * when the worker has nothing else to do, and otherwise after `FLUSH_MS`, as soon as no step is under way.
 */
export class ClaimLoop {
  readonly #parts: ClaimLoopParts;
  readonly #requests: LoopRequests;
  readonly #plan: ClaimPlan;
  readonly #unanswered: UnansweredClaims;
  #isLooking = false;
  /** Questions to the store that it has not answered. */
  #inFlight = 0;
  #flushTimer: Timer | undefined;
  #claiming = true;
  #onAnswered: (() => void)[] = [];
  #closed = false;

  constructor(parts: ClaimLoopParts) {
    this.#parts = parts;
    this.#plan = new ClaimPlan(parts);
    this.#unanswered = parts.unanswered;
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
      this.#isLooking = true;
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
    const { jobs, executor, concurrency, view } = this.#parts;
    while (this.#claiming && jobs.running < concurrency && view.isFresh()) {
      const held = jobs.queue.take();
      if (held === undefined) return;
      executor.start(held);
    }
  }

  #wantsClaim(): boolean {
    if (!this.#mayClaim) return false;
    const { finished, claimsAnyway } = this.#requests;
    return this.#plan.wantsSuspects(finished) || (claimsAnyway && this.#plan.isWanted(finished));
  }

  /** No claim while it is unknown what is stopped. */
  get #mayClaim(): boolean {
    return this.#claiming && this.#plan.isPossible && this.#parts.view.mayClaim;
  }

  #mustWrite(): boolean {
    const { tickDue, finished, flushDue } = this.#requests;
    if (tickDue && this.#claiming) return true;
    if (finished.length === 0) return false;
    const { jobs } = this.#parts;
    const isIdle = jobs.running === 0 && jobs.queue.size === 0;
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
      !this.#isLooking &&
      this.#plan.underway === 0 &&
      this.#parts.contact.isOpen
    );
  }

  async #look(): Promise<void> {
    const { contact } = this.#parts;
    await contact.ask('read', () => this.#unanswered.look());
    this.#isLooking = false;
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
    const step = this.#nextStep();
    const results = await contact.ask<readonly Result[]>('claims', () =>
      store.apply(step.commands),
    );
    this.#plan.answered(step.claims);
    if (results === undefined) this.#takeBack(step);
    else this.#carryOut(step, results);
  }

  #nextStep(): Step {
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
    const claims = this.#mayClaim ? this.#plan.begin(finished) : [];
    commands.push(...claims);
    // The controls are confirmed while the claim is under way, so that its jobs can start at once.
    if (claims.length > 0) this.#parts.view.need();
    return { finished, commands, claims, hints, atMs: this.#parts.clock.monotonic() };
  }

  #carryOut({ finished, commands, hints, atMs }: Step, results: readonly Result[]): void {
    const { answers, interruptions, clock } = this.#parts;
    const requests = this.#requests;
    let claimed = 0;
    let more = false;
    let isClaim = false;
    for (const [index, command] of commands.entries()) {
      // One result per command, of its kind.
      const result = results[index];
      if (command.kind === 'settle') {
        const held = finished[index]; // Settlements come first, in the same order: each finished job has one.
        if (held !== undefined) answers.settled(held, result as SettleResult);
      } else if (command.kind === 'tick') {
        answers.ticked(result as TickResult);
      } else if (command.kind === 'claim') {
        const claim = result as ClaimResult;
        const { length } = claim.jobs;
        this.#plan.learn(command, claim, clock.monotonic() - atMs);
        answers.claimed(claim, atMs);
        if (command.only === undefined) {
          isClaim = true;
          claimed += length;
          // A claim that filled its limit does not say whether there is more.
          more ||= claim.more || (length > 0 && length >= command.limit);
          // There may be more suspects, and other claims have waited for this one.
        } else if (length > 0) requests.expectWork();
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
  #takeBack({ finished, commands, claims, atMs }: Step): void {
    if (claims.length > 0) this.#unanswered.add(atMs);
    for (const held of finished) held.unsure = true;
    this.#requests.finished = [...finished, ...this.#requests.finished];
    if (commands.some(({ kind }) => kind === 'tick')) this.#requests.tickDue = true;
  }
}
