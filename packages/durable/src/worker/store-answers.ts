import type { ControlView } from '../control/control-view.ts';
import type { Releaser } from '../control/releaser.ts';
import type { LeasedJob } from '../job/job.ts';
import type { ClaimResult, SettleResult, TickResult } from '../store/commands.ts';
import type { Store } from '../store/store.ts';
import type { HeldJob } from './held-job.ts';
import type { HeldJobs } from './held-jobs.ts';
import type { Interruptions } from './interruptions.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { LoopRequests } from './loop-requests.ts';
import type { Reporter } from './reporter.ts';
import type { StoreTime } from './store-time.ts';
import type { Upkeep } from './upkeep.ts';
import { wasWritten } from './was-written.ts';

export interface StoreAnswersParts {
  readonly store: Store;
  readonly time: StoreTime;
  readonly view: Pick<ControlView, 'need'>;
  readonly jobs: HeldJobs;
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
    else if (held.unsure) void this.#checkWritten(held, result.refusal);
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
