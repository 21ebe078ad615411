import type { Clock } from '@redrive/core';
import { ClosedGates } from '../control/closed-gates.ts';
import { ControlNotices } from '../control/control-notices.ts';
import { ControlView } from '../control/control-view.ts';
import { AllOutcomes } from '../control/dependency-outcomes.ts';
import type { Stoppable } from '../control/kill-target.ts';
import { Releaser } from '../control/releaser.ts';
import { SharedBreakers } from '../control/shared-breakers.ts';
import { Stops } from '../control/stops.ts';
import type { ResolvedHandler } from '../handler/resolve-handlers.ts';
import type { LeasedJob } from '../job/job.ts';
import type { ResolvedJobsOptions } from '../jobs/resolve-jobs-options.ts';
import type { Schedule } from '../schedule/schedule.ts';
import type { FullStore } from '../store/full-store.ts';
import { AttemptLimits } from './attempt-limits.ts';
import { ClaimAhead } from './claim-ahead.ts';
import { ClaimLoop } from './claim-loop.ts';
import { Company } from './company.ts';
import { Executor } from './executor.ts';
import { Guards } from './guards.ts';
import { cutReasons } from './held-job.ts';
import { HeldJobs, type HeldJobsLinks } from './held-jobs.ts';
import { JobLedger } from './job-ledger.ts';
import { Lane } from './lane.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { LocalQueue } from './local-queue.ts';
import { OperationRunner } from './operation-runner.ts';
import type { PolicyVersions } from './policy-versions.ts';
import { Preflight } from './preflight.ts';
import type { Reporter } from './reporter.ts';
import { rescueExpired } from './rescue.ts';
import { Retention } from './retention.ts';
import { ScheduleRunner } from './schedule-runner.ts';
import { Sealer } from './sealer.ts';
import { StoreContact } from './store-contact.ts';
import { StoreTime } from './store-time.ts';
import { Upkeep } from './upkeep.ts';
import { WorkerReports } from './worker-reports.ts';

export interface WorkerParts {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly handlers: ReadonlyMap<string, ResolvedHandler>;
  readonly policies: PolicyVersions;
  readonly reporter: Reporter;
  readonly options: ResolvedJobsOptions;
  readonly schedules: ReadonlyMap<string, Schedule>;
}

/**
 * Works on jobs, from `start()` until it is closed. Its parts:
 *
 * ```
 *      ┌─────────────── ClaimLoop ◄─────────────┐
 * claimed jobs                            ended attempts      LeaseKeeper    heartbeats of all leases
 *      ▼                                        │             AttemptLimits  timeouts and deadlines
 *  LocalQueue ───────────► Executor ────────────┘             Upkeep         due jobs, pulse, rescue
 *                                                             Retention      deletes finished jobs
 *                                                             Sealer         anchors over the audit log
 *                                                             ControlView    kill switches, pauses, gates, breakers
 *                                                             OperationRunner  submitted bulk operations
 *                                                             ScheduleRunner   ticks of schedules
 *                                                             Releaser       releases parked jobs
 *                                                             WorkerReports  reports to the store that it is alive
 * ```
 *
 * `HeldJobs` has every job between its claim and its settlement, and handles the events that end it early.
 */
export class Worker {
  readonly #parts: WorkerParts;
  readonly #jobs: HeldJobs;
  readonly #contact: StoreContact;
  readonly #loop: ClaimLoop;
  readonly #executor: Executor;
  readonly #leases: LeaseKeeper;
  readonly #limits: AttemptLimits;
  readonly #upkeep: Upkeep;
  readonly #retention: Retention;
  readonly #sealer: Sealer;
  readonly #view: ControlView;
  readonly #operations: OperationRunner;
  readonly #schedules: ScheduleRunner;
  readonly #gates: ClosedGates;
  readonly #stops: Stops;
  readonly #breakers: SharedBreakers;
  readonly #releaser: Releaser;
  readonly #reports: WorkerReports;
  readonly #links: HeldJobsLinks;
  #stopWatching: (() => void) | undefined;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    const { clock, handlers, reporter, options } = parts;
    const { worker } = options;
    const { notify } = reporter;
    const lanes = [...handlers.values()].map((handler) => new Lane(handler));
    const contact = new StoreContact(clock, worker, notify, () => {
      this.#loop.expectWork();
      this.#upkeep.look();
      this.#schedules.look();
    });
    const time = new StoreTime(clock);
    const view = new ControlView({
      ...parts,
      time,
      notify,
      isNeeded: () => this.isBusy,
      onFresh: () => {
        this.#loop.wake();
        this.#schedules.look();
      },
    });
    new ControlNotices(view, time, notify);
    const stops = new Stops(view);
    const gates = new ClosedGates({ ...options, store: parts.store, view, time });
    const shared = new SharedBreakers({ ...options, view, time });
    const common = {
      ...options,
      ...parts,
      view,
      gates,
      guards: new Guards({ ...options, shared }),
      outcomes: new AllOutcomes(clock),
      contact,
      lanes,
      notify,
      actor: { name: `worker:${worker}` },
      time,
      ledger: new JobLedger(parts.store, clock),
      queue: new LocalQueue(lanes),
      ahead: new ClaimAhead(),
      company: new Company({ ...options, clock }),
    };
    const jobs = new HeldJobs({ ...common, links: () => this.#links });
    this.#contact = contact;
    this.#jobs = jobs;
    this.#view = view;
    this.#gates = gates;
    this.#stops = stops;
    this.#breakers = shared;
    view.onChange(() => {
      jobs.giveBack(({ job }) => stops.stop(job));
      for (const held of jobs.all) if (stops.interrupt(held.job)) jobs.kill(held);
    });
    this.#loop = new ClaimLoop({
      ...common,
      startNext: () => jobs.startNext(),
      held: jobs.all,
      onClaimed: (claim, askedAtMs) => jobs.claimed(claim, askedAtMs),
      onFound: (leased, askedAtMs) => jobs.found(leased, askedAtMs),
      onSettled: (held, result) => jobs.settled(held, result),
      onTicked: ({ expired, more }) => {
        reporter.tally.died += expired;
        if (more) this.#loop.expectTick();
      },
    });
    this.#executor = new Executor({
      ...common,
      preflight: new Preflight({ view, stops, gates }),
      onStarted: (held) => jobs.started(held),
      onEnded: (held) => jobs.ended(held),
      onForgotten: (held) => jobs.forget(held),
    });
    this.#leases = new LeaseKeeper({
      ...common,
      held: jobs.all,
      onLost: (held, certain) => jobs.lost(held, certain),
      onCancel: (held) => jobs.cancel(held),
      onWaiting: (sinceMs) => jobs.giveBack(({ claimedAtMs }) => claimedAtMs <= sinceMs),
    });
    this.#limits = new AttemptLimits(clock, jobs.all, (held, nowMs) => jobs.timeUp(held, nowMs));
    this.#sealer = new Sealer(common);
    this.#releaser = new Releaser({
      ...common,
      isFull: () => this.#loop.running >= options.concurrency,
    });
    this.#upkeep = new Upkeep({
      ...common,
      mayBeParked: () => this.#releaser.mayBeParked(),
      seal: () => this.#sealer.wanted(),
      onControls: (revision, askedAtMs) => view.revisionRead(revision, askedAtMs),
      handlers: [...handlers.keys()],
      expectWork: () => this.#loop.expectWork(),
      expectTick: () => this.#loop.expectTick(),
      rescue: () =>
        rescueExpired({ ...common, onRescued: (job) => this.#rescued(job) }, common.time.nowMs()),
    });
    this.#operations = new OperationRunner(common);
    this.#schedules = new ScheduleRunner(common);
    this.#reports = new WorkerReports({
      ...common,
      handlers: [...handlers.keys()],
      running: () => this.#loop.running,
    });
    this.#retention = new Retention({ ...common, keep: options.retention });
    this.#links = {
      loop: this.#loop,
      executor: this.#executor,
      upkeep: this.#upkeep,
      releaser: this.#releaser,
      watchLeases: () => this.#leases.watch(),
      watchLimit: (limitMs) => this.#limits.watch(limitMs),
    };
  }

  /** Whether a kill switch or a pause covers such work. `true` while the store does not confirm that none does. */
  async isStopped(work: Stoppable): Promise<boolean> {
    return !(await this.#view.confirmed()) || this.#stops.stop(work);
  }

  /** Whether it holds a job, or waits for the store's answer. */
  get isBusy(): boolean {
    return this.#jobs.all.size > 0 || !this.#loop.isSettled;
  }

  /** How many attempts run. */
  get running(): number {
    return this.#loop.running;
  }

  start(): void {
    const { store, reporter, handlers, options } = this.#parts;
    reporter.notify({
      kind: 'started',
      worker: options.worker,
      handlers: [...handlers.keys()],
    });
    this.#stopWatching = store.watch((change) => {
      if (change === 'ready') this.#loop.expectWork();
      else if (change === 'control') this.#view.changeNotified(this.#stops.any);
    });
    this.#view.start();
    this.#loop.expectWork();
    this.#releaser.start();
    this.#upkeep.start();
    this.#operations.start();
    this.#schedules.start();
    this.#retention.start();
    this.#reports.start();
  }

  /** A job was cancelled through this process: if it runs here, it ends now and not at the next heartbeat. */
  cancel(id: string): void {
    for (const held of this.#jobs.all) if (held.jobId === id) this.#jobs.cancel(held);
  }

  /** A schedule was declared, or declared anew. */
  lookAtSchedules(): void {
    this.#schedules.look();
  }

  /** No more claims: waiting jobs are given back, running attempts may end. */
  quiesce(): void {
    this.#loop.stopClaiming();
    this.#upkeep.close();
    void this.#operations.close();
    void this.#schedules.close();
    this.#releaser.close();
    this.#retention.close();
    this.#jobs.stopStarting();
    this.#reports.stopping();
    this.#loop.flush();
  }

  /** Aborts running attempts. Unless a handler succeeds all the same, its job is given back. */
  interrupt(): void {
    const reason = cutReasons.stopping();
    for (const held of this.#jobs.all) if (held.phase === 'running') held.end('stopping', reason);
  }

  /**
   * Waits no longer for running attempts, and gives their jobs back. Where a person decides about an unknown effect, the
   * job is left to its lease instead, because its handler may still be running. Returns the number of attempts.
   */
  abandon(): number {
    const running = [...this.#jobs.all].filter(({ phase }) => phase === 'running');
    for (const held of running) {
      if (held.lane.handler.onUnknown === 'ask' || held.isTaken) this.#jobs.forget(held);
      else this.#executor.conclude(held, { outcome: { kind: 'interrupted' } });
    }
    this.#loop.flush();
    return running.length;
  }

  /** Resolves when every attempt has ended and is written, and no claim is under way. */
  async quiet(): Promise<void> {
    await Promise.all([this.#operations.close(), this.#schedules.close()]);
    while (this.isBusy) {
      await this.#jobs.empty();
      await this.#loop.answered();
    }
  }

  /** Seals its audit records, and removes its name from the list of workers. */
  async leave(): Promise<void> {
    await this.#breakers.written();
    await Promise.all([this.#sealer.last(), this.#reports.forget()]);
  }

  /** Ends all timers and watches. A job whose end is not written is left to its lease. */
  close(): void {
    this.#stopWatching?.();
    this.#reports.close();
    this.#view.close();
    this.#gates.close();
    this.#breakers.close();
    this.#leases.close();
    this.#limits.close();
    this.#contact.close();
    this.#loop.close();
  }

  /** Compares the token too: this process may have claimed the job again since. */
  #rescued({ id, token }: LeasedJob): void {
    for (const held of this.#jobs.all) {
      if (held.jobId === id && held.token === token) this.#jobs.lost(held, true);
    }
  }
}
