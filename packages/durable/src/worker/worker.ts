import type { Clock } from '@redrive/core';
import { ClaimRates } from '../control/claim-rates.ts';
import { ClosedGates } from '../control/closed-gates.ts';
import { ControlNotices } from '../control/control-notices.ts';
import { ControlView } from '../control/control-view.ts';
import { AllOutcomes } from '../control/dependency-outcomes.ts';
import type { Stoppable } from '../control/kill-target.ts';
import { Releaser } from '../control/releaser.ts';
import { SharedBreakers } from '../control/shared-breakers.ts';
import { Stops } from '../control/stops.ts';
import { RulesInView } from '../dead-letter/rules/rule-documents.ts';
import type { ResolvedHandler } from '../handler/resolve-handlers.ts';
import type { Enqueuer } from '../jobs/enqueuer.ts';
import type { ResolvedJobsOptions } from '../jobs/resolve-jobs-options.ts';
import { JobLedger } from '../ledger/ledger-store.ts';
import type { StalledJob } from '../live-workers/worker-store.ts';
import type { Schedule } from '../schedule/schedule.ts';
import type { FullStore } from '../store/full-store.ts';
import { ClaimAhead } from './claim-ahead.ts';
import { ClaimLoop } from './claim-loop.ts';
import { type DirectRun, DirectRuns } from './direct-run.ts';
import { Executor } from './executor.ts';
import { Guards } from './guards.ts';
import { cutReasons, type HeldJob } from './held-job.ts';
import { HeldJobs } from './held-jobs.ts';
import { Interruptions } from './interruptions.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { LoopRequests } from './loop-requests.ts';
import { OperationRunner } from './operation-runner.ts';
import type { PolicyVersions } from './policy-versions.ts';
import type { Reporter } from './reporter.ts';
import { Retention } from './retention.ts';
import { ScheduleRunner } from './schedule-runner.ts';
import { Sealer } from './sealer.ts';
import { StoreAnswers, UnansweredClaims } from './store-answers.ts';
import { StoreContact, StoreTime } from './store-contact.ts';
import { SuspectClaims } from './suspect-claims.ts';
import { Upkeep } from './upkeep.ts';
import { WorkerReports } from './worker-reports.ts';

export interface WorkerParts {
  readonly store: FullStore;
  readonly clock: Clock;
  readonly handlers: ReadonlyMap<string, ResolvedHandler>;
  readonly policies: PolicyVersions;
  readonly enqueuer: Enqueuer;
  readonly reporter: Reporter;
  readonly options: ResolvedJobsOptions;
  readonly schedules: ReadonlyMap<string, Schedule>;
}

/**
 * Works on jobs, from `start()` until it is closed. An arrow is a call; none goes up:
 *
 * ```
 * ClaimLoop ─┬─► StoreAnswers ─► LeaseKeeper, Upkeep ─┐
 *            │                                        ▼
 *            │                                  Interruptions    lost, cancelled, killed, out of time, given back
 *            │                                        ▼
 *            └──────────────────────────────────► Executor       the life of an attempt
 *                                                     ▼
 *                                                 HeldJobs       every job between its claim and its settlement
 *                                                     ▼
 *                                               LoopRequests     "finished", "work is expected": the loop's next turn
 * ```
 *
 * Besides: `Upkeep` (due jobs, pulse, rescue), `Retention` (deletes finished jobs), `Sealer` (anchors over the audit log),
 * `ControlView` (kill switches, pauses, gates, breakers), `OperationRunner` (bulk operations), `ScheduleRunner` (ticks of
 * schedules), `Releaser` (releases parked jobs), `WorkerReports` (reports that the worker is alive),
 * `DirectRuns` (events that run before they are stored).
 */
export function makeWorker(parts: WorkerParts) {
  const { store, clock, handlers, reporter, options } = parts;
  const { worker, concurrency } = options;
  const { notify } = reporter;
  const requests = new LoopRequests();
  const contact = new StoreContact(clock, worker, notify, () => {
    requests.expectWork();
    upkeep.look();
    schedules.look();
  });
  const time = new StoreTime(clock);
  const view = new ControlView({
    ...parts,
    time,
    notify,
    isNeeded: () => isBusy(),
    onFresh: () => {
      requests.wake();
      schedules.look();
    },
  });
  new ControlNotices(view, time, notify);
  const stops = new Stops(view);
  const gates = new ClosedGates({ ...options, store, view, time });
  const rates = new ClaimRates({
    ...{ ...options, handlers, view },
    onSet: () => requests.expectWork(),
  });
  const ahead = new ClaimAhead(options.leaseMs);
  const breakers = new SharedBreakers({ ...options, view, time });
  const tools = {
    ...options,
    ...parts,
    requests,
    view,
    gates,
    guards: new Guards({ ...options, shared: breakers, view, stops, gates, rates, ahead }),
    rates,
    rules: new RulesInView(view),
    outcomes: new AllOutcomes(clock),
    contact,
    notify,
    actor: { name: `worker:${worker}` },
    time,
    ledger: new JobLedger(store, clock),
    ahead,
    suspectClaims: new SuspectClaims({ ...options, clock }),
  };
  const jobs = new HeldJobs(tools);
  const executor = new Executor({ ...tools, jobs });
  const interruptions = new Interruptions({ ...tools, jobs, executor });
  const leases = new LeaseKeeper({ ...tools, held: jobs.all, interruptions });
  const sealer = new Sealer(tools);
  const releaser = new Releaser({ ...tools, isFull: () => jobs.running >= concurrency });
  const upkeep = new Upkeep({ ...tools, interruptions, releaser, sealer });
  const answers = new StoreAnswers({
    ...tools,
    jobs,
    executor,
    interruptions,
    leases,
    upkeep,
    releaser,
  });
  const unanswered = new UnansweredClaims({ ...tools, jobs, answers });
  const loop = new ClaimLoop({ ...tools, jobs, executor, interruptions, answers, unanswered });
  const operations = new OperationRunner(tools);
  const schedules = new ScheduleRunner(tools);
  const retention = new Retention({ ...tools, keep: options.retention });
  const reports = new WorkerReports({
    ...tools,
    handlers: [...handlers.keys()],
    running: () => jobs.running,
    stalled: () => stalledOf(jobs.all),
  });
  const direct = new DirectRuns({ ...tools, stops });
  view.onChange(() => {
    direct.kill();
    interruptions.giveBack(({ job }) => stops.stop(job));
    for (const held of jobs.all) if (stops.interrupt(held.job)) interruptions.kill(held);
  });
  /** Whether it holds a job, runs an event, or waits for the store's answer. */
  const isBusy = () => jobs.all.size > 0 || direct.isBusy || !loop.isSettled;
  let stopWatching: (() => void) | undefined;

  return {
    /** Whether a kill switch or a pause covers such work. `true` while the store does not confirm that none does. */
    async isStopped(work: Stoppable): Promise<boolean> {
      return direct.isClosed || !(await view.confirmed()) || stops.stop(work);
    },

    /** For events that run before they are stored. `undefined`: something stops them, or their breaker or gate does. */
    direct(work: Stoppable): DirectRun | undefined {
      return direct.begin(work, handlers.get(work.handler));
    },

    isBusy,

    /** How many attempts run. */
    get running() {
      return jobs.running;
    },

    start(): void {
      notify({ kind: 'started', worker, handlers: [...handlers.keys()], queues: options.queues });
      stopWatching = store.watch((change) => {
        if (change === 'ready') requests.expectWork();
        else if (change === 'control') view.changeNotified(stops.any);
      });
      view.start();
      requests.expectWork();
      releaser.start();
      upkeep.start();
      operations.start();
      schedules.start();
      retention.start();
      reports.start();
    },

    /** A job was cancelled through this process: if it runs here, it is aborted now and not at the next heartbeat. */
    cancel(id: string): void {
      for (const held of jobs.all) if (held.jobId === id) interruptions.cancel(held);
    },

    /** A schedule was declared, or declared anew. */
    lookAtSchedules(): void {
      schedules.look();
    },

    /** Retention, if it has not run yet: the caller waits until nothing is left to do, and may then end the worker. */
    retainBeforeEnd: () => retention.beforeEnd(),

    /** No more claims: waiting jobs are given back, running attempts may finish. */
    quiesce(): void {
      direct.close();
      loop.stopClaiming();
      upkeep.close();
      void operations.close();
      void schedules.close();
      releaser.close();
      retention.close();
      interruptions.giveBackWaiting();
      reports.stopping();
      requests.flush();
    },

    /** Aborts running attempts. Unless a handler succeeds all the same, its job is given back. */
    interrupt(): void {
      interruptions.stopRunning();
      direct.abort(cutReasons.stopping());
    },

    /** Waits no longer for running attempts. Returns their number. */
    abandon(): number {
      const abandoned = interruptions.abandonRunning();
      requests.flush();
      return abandoned;
    },

    /** Resolves when every attempt has finished and is written, and no claim is under way. */
    async quiet(): Promise<void> {
      await Promise.all([operations.close(), schedules.close()]);
      while (isBusy()) {
        await jobs.empty();
        await direct.empty();
        await loop.answered();
      }
    },

    /** Seals its audit records, and removes its name from the list of workers. */
    async leave(): Promise<void> {
      await breakers.written();
      await Promise.all([sealer.last(), reports.forget()]);
    },

    /** Stops all timers and watches. A job whose settlement is not written is left to its lease. */
    close(): void {
      stopWatching?.();
      reports.close();
      view.close();
      gates.close();
      breakers.close();
      leases.close();
      jobs.limits.close();
      contact.close();
      loop.close();
    },
  };
}

/** Those that stand still for the longest time come first. */
function stalledOf(all: Iterable<HeldJob>): readonly StalledJob[] {
  return [...all]
    .flatMap(({ jobId: id, handler, tenant, phase, stalledSinceMs: sinceMs }) =>
      phase === 'running' && sinceMs !== undefined ? [{ id, handler, tenant, sinceMs }] : [],
    )
    .sort((a, b) => a.sinceMs - b.sinceMs);
}

export type Worker = ReturnType<typeof makeWorker>;
