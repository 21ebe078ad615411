import type { Clock, Timer } from '@redrive/core';
import type { ControlView } from '../control/control-view.ts';
import type { Releaser } from '../control/releaser.ts';
import type { LeasedJob } from '../job/job.ts';
import type { Settlement } from '../job/settlement.ts';
import type { ClaimResult, SettleResult, TickResult } from '../store/commands.ts';
import type { Store } from '../store/store.ts';
import type { Executor } from './executor.ts';
import type { HeldJob } from './held-job.ts';
import type { HeldJobs } from './held-jobs.ts';
import type { Interruptions } from './interruptions.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { LoopRequests } from './loop-requests.ts';
import type { Reporter } from './reporter.ts';
import type { StoreTime } from './store-contact.ts';
import type { Upkeep } from './upkeep.ts';

interface StoreAnswersParts {
  readonly store: Store;
  readonly time: StoreTime;
  readonly view: Pick<ControlView, 'need'>;
  readonly jobs: HeldJobs;
  readonly executor: Pick<Executor, 'followRefused'>;
  readonly interruptions: Interruptions;
  readonly leases: LeaseKeeper;
  readonly upkeep: Upkeep;
  readonly releaser: Releaser;
  readonly reporter: Reporter;
  readonly requests: LoopRequests;
}

/** Carries out the store's answers to the claim loop. */
export class StoreAnswers {
  readonly #parts: StoreAnswersParts;

  constructor(parts: StoreAnswersParts) {
    this.#parts = parts;
  }

  claimed({ jobs: claimed, nowMs, nextDueInMs }: ClaimResult, askedAtMs: number): void {
    const { time, view, jobs, leases, upkeep } = this.#parts;
    time.observe(nowMs, askedAtMs);
    for (const job of claimed) jobs.hold(job, askedAtMs);
    if (claimed.length > 0) {
      leases.watch();
      view.need();
    }
    if (nextDueInMs !== undefined) upkeep.dueIn(nextDueInMs);
  }

  /** Jobs that were claimed without an answer: given back, uncharged. */
  found(leased: readonly LeasedJob[], askedAtMs: number): void {
    const { jobs, leases, interruptions } = this.#parts;
    const found = new Set(leased.map((job) => jobs.hold(job, askedAtMs)));
    leases.watch();
    interruptions.giveBack((held) => found.has(held));
  }

  ticked({ expired, expiredBy, more }: TickResult): void {
    const { reporter, requests } = this.#parts;
    reporter.tally.died += expired;
    if (expiredBy !== undefined) reporter.notify({ kind: 'expired', jobs: expiredBy });
    if (more) requests.expectTick();
  }

  settled(held: HeldJob, result: SettleResult): void {
    if (result.ok) this.#written(held);
    else if (result.refusal === 'follow_refused' && held.settlement?.to === 'succeeded') {
      this.#parts.executor.followRefused(held, result);
    } else if (held.unsure) void this.#checkWritten(held, result.refusal);
    else this.#refused(held, result.refusal);
  }

  #written(held: HeldJob): void {
    const { jobs, reporter, requests, upkeep, releaser } = this.#parts;
    jobs.remove(held);
    reporter.written(held);
    const { to, dueInMs = 0, cause } = held.settlement ?? {};
    if (to === 'parked') {
      upkeep.tickIn(dueInMs);
      releaser.parked(cause);
    } else if (to === 'scheduled' && dueInMs > 0) upkeep.dueIn(dueInMs);
    else if (to === 'scheduled' || to === 'ready') requests.expectWork();
  }

  #refused(held: HeldJob, refusal: string): void {
    const { jobs, reporter } = this.#parts;
    jobs.remove(held);
    reporter.notify({ kind: 'stale_settlement', jobId: held.jobId, refusal });
  }

  /** The store was asked twice and refuses the second time: perhaps it has carried out the first. */
  async #checkWritten(held: HeldJob, refusal: string): Promise<void> {
    if (await wasWritten(this.#parts.store, held.settlement)) this.#written(held);
    else this.#refused(held, refusal);
  }
}

/** Whether the job's history has the attempt of this settlement. `false` where the store does not answer. */
async function wasWritten(store: Store, settlement: Settlement | undefined): Promise<boolean> {
  const ours = settlement?.attempts.kept.at(-1);
  if (settlement === undefined || ours === undefined) return false;
  try {
    const job = await store.job(settlement.id);
    return (job?.attempts.kept ?? []).some(
      ({ generation, attempt, worker, entry, error }) =>
        generation === ours.generation &&
        attempt === ours.attempt &&
        worker === ours.worker &&
        entry === ours.entry &&
        error?.message === ours.error?.message,
    );
  } catch {
    return false;
  }
}

/** Looks per lease: a claim may be carried out some time after its caller has given up. */
const LOOKS_PER_LEASE = 3;
/** More leases than one worker has. */
const MAX_LEASES = 10_000;

interface UnansweredClaimsParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly worker: string;
  readonly leaseMs: number;
  readonly jobs: HeldJobs;
  readonly answers: StoreAnswers;
  readonly requests: LoopRequests;
}

/**
 * Claims that the store did not answer. It may have carried them out all the same: then this worker has leases that it
 * does not know of, and the rescue would charge an attempt that never started. So the worker looks for them as soon as
 * the store answers again, until all leases of that time have run out.
 */
export class UnansweredClaims {
  readonly #parts: UnansweredClaimsParts;
  #firstAtMs = Infinity;
  #lastAtMs = -Infinity;
  #timer: Timer | undefined;
  #closed = false;
  /** Whether it is time to look. Not while a claim is under way: its jobs are not known yet either. */
  isDue = false;
  /** The last look was not answered, or not yet. */
  #inVain = false;

  constructor(parts: UnansweredClaimsParts) {
    this.#parts = parts;
  }

  /** The worker stops. Where the store does not answer its last look either, the leases are left to run out. */
  lookOnceMore(): void {
    this.#inVain = false;
  }

  /** Whether this worker may have leases that it does not know of. */
  get isOpen(): boolean {
    return this.#firstAtMs !== Infinity;
  }

  /** Whether a stop has to wait for a look. */
  get isAwaited(): boolean {
    return this.isDue && !this.#inVain;
  }

  /** There was no answer to a claim. */
  add(askedAtMs: number): void {
    this.#firstAtMs = Math.min(this.#firstAtMs, askedAtMs);
    this.#lastAtMs = Math.max(this.#lastAtMs, askedAtMs);
    this.isDue = true;
  }

  /** Rejects when the store does not answer; then it is still due. */
  async look(): Promise<void> {
    const { store, worker, jobs, answers } = this.#parts;
    // Taken before the look: a job that is settled meanwhile was known.
    const known = new Set([...jobs.all].map(({ job }) => `${job.token} ${job.id}`));
    this.#inVain = true;
    const leases = await store.leasesOf(worker, MAX_LEASES);
    this.isDue = false;
    const unknown = leases.filter(({ id, token }) => !known.has(`${token} ${id}`));
    if (unknown.length > 0) answers.found(unknown, this.#firstAtMs);
    this.#lookAgain();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #lookAgain(): void {
    const { clock, leaseMs, requests } = this.#parts;
    if (clock.monotonic() >= this.#lastAtMs + leaseMs) {
      this.#firstAtMs = Infinity;
      return;
    }
    if (this.#closed) return;
    this.#timer ??= clock.setTimer(leaseMs / LOOKS_PER_LEASE, () => {
      this.#timer = undefined;
      this.isDue = true;
      requests.wake();
    });
  }
}
