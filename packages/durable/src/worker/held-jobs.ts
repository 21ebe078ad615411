import type { Clock } from '@redrive/core';
import type { ControlView } from '../control/control-view.ts';
import type { Releaser } from '../control/releaser.ts';
import { ABORT_GRACE_MS } from '../handler/abort-grace.ts';
import type { LeasedJob } from '../job/job.ts';
import type { ClaimResult, SettleResult } from '../store/commands.ts';
import type { Store } from '../store/store.ts';
import type { ClaimAhead } from './claim-ahead.ts';
import type { ClaimLoop } from './claim-loop.ts';
import type { Company } from './company.ts';
import type { Executor } from './executor.ts';
import type { Guards } from './guards.ts';
import { type Cut, cutReasons, HeldJob, timeoutOf } from './held-job.ts';
import type { JobLedger } from './job-ledger.ts';
import type { Lane } from './lane.ts';
import type { LocalQueue } from './local-queue.ts';
import type { PolicyVersions } from './policy-versions.ts';
import type { Reporter } from './reporter.ts';
import type { StoreTime } from './store-time.ts';
import type { Upkeep } from './upkeep.ts';
import { wasWritten } from './was-written.ts';

export interface HeldJobsParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly time: StoreTime;
  readonly ledger: JobLedger;
  readonly lanes: readonly Lane[];
  readonly queue: LocalQueue;
  readonly ahead: ClaimAhead;
  readonly company: Company;
  readonly policies: PolicyVersions;
  readonly guards: Guards;
  readonly reporter: Reporter;
  readonly view: Pick<ControlView, 'isFresh' | 'need'>;
  readonly leaseMs: number;
  readonly concurrency: number;
  /** Made after this one, because they call it too. */
  readonly links: () => HeldJobsLinks;
}

export interface HeldJobsLinks {
  readonly loop: ClaimLoop;
  readonly executor: Executor;
  readonly upkeep: Upkeep;
  readonly releaser: Releaser;
  /** A job is leased: its lease must be extended in time. */
  readonly watchLeases: () => void;
  /** An attempt has a limit. */
  readonly watchLimit: (limitMs: number) => void;
}

/** The jobs that this process holds, from claim to settlement, and the events that can end them in between. */
export class HeldJobs {
  readonly all = new Set<HeldJob>();
  readonly #parts: HeldJobsParts;
  readonly #lanes: ReadonlyMap<string, Lane>;
  #isStarting = true;
  #onEmpty: (() => void) | undefined;

  constructor(parts: HeldJobsParts) {
    this.#parts = parts;
    this.#lanes = new Map(parts.lanes.map((lane) => [lane.handler.name, lane]));
  }

  /** From now on no job starts. Those that wait are given back. */
  stopStarting(): void {
    this.#isStarting = false;
    this.giveBack(() => true);
    for (const held of this.all) if (held.phase === 'asking') this.#giveUp(held);
  }

  /** No job starts while the kill switches are not confirmed. */
  startNext(): void {
    const { queue, concurrency, view, links } = this.#parts;
    const { loop, executor } = links();
    while (this.#isStarting && loop.running < concurrency && view.isFresh()) {
      const held = queue.take();
      if (held === undefined) return;
      executor.start(held);
    }
  }

  claimed({ jobs, nowMs, nextDueInMs }: ClaimResult, askedAtMs: number): void {
    const { time, view, links } = this.#parts;
    const { upkeep, watchLeases } = links();
    time.observe(nowMs, askedAtMs);
    for (const job of jobs) this.#hold(job, askedAtMs);
    if (jobs.length > 0) {
      watchLeases();
      view.need();
    }
    if (nextDueInMs !== undefined) upkeep.dueIn(nextDueInMs);
    // A claim that was under way when the worker stopped.
    if (!this.#isStarting) this.giveBack(() => true);
  }

  /** Jobs that were claimed without an answer: given back, uncharged. */
  found(jobs: readonly LeasedJob[], askedAtMs: number): void {
    const found = new Set(jobs.map((job) => this.#hold(job, askedAtMs)));
    this.#parts.links().watchLeases();
    this.giveBack((held) => found.has(held));
  }

  #hold(job: LeasedJob, askedAtMs: number): HeldJob | undefined {
    const { policies, guards, clock, time, ledger, leaseMs, queue, company } = this.#parts;
    const lane = this.#lanes.get(job.handler);
    if (lane === undefined) return undefined; // No lane asked for it.
    const version = policies.ofJob(job, lane.handler);
    if (job.policyId !== undefined) {
      lane.fewestAttempts = Math.min(lane.fewestAttempts, version.maxAttempts);
    }
    const held = new HeldJob(
      job,
      lane,
      version,
      guards.of(lane.handler, version),
      time,
      ledger,
      clock.monotonic(),
      askedAtMs + leaseMs,
    );
    this.all.add(held);
    company.add(held);
    queue.add(held);
    return held;
  }

  /** An attempt starts, or is about to: it has its place from now on. */
  started(held: HeldJob): void {
    const { loop, watchLimit } = this.#parts.links();
    if (!held.hasPlace) {
      held.hasPlace = true;
      loop.running += 1;
      held.lane.running += 1;
    }
    watchLimit(held.limitMs);
  }

  /** An attempt has ended, or did not start, and is to be written. */
  ended(held: HeldJob): void {
    const { ahead, clock, queue, links } = this.#parts;
    if (held.hasPlace) this.#leaveLane(held);
    // It had the turn of one that waits for the handler's limit, and did not use it.
    else queue.freed(held.lane);
    if (held.ran) {
      const { payload } = held.job;
      const bytes = payload.kind === 'json' ? payload.text.length : payload.bytes.length;
      const nowMs = clock.monotonic();
      ahead.measure(held.lane, nowMs - held.startMs, bytes, nowMs);
    }
    links().loop.add(held);
  }

  #leaveLane(held: HeldJob): void {
    const { queue, links } = this.#parts;
    held.hasPlace = false;
    links().loop.running -= 1;
    held.lane.running -= 1;
    queue.freed(held.lane);
  }

  /** The store's answer to a settlement. */
  settled(held: HeldJob, result: SettleResult): void {
    if (result.ok) this.#written(held);
    else if (held.unsure) void this.#checkWritten(held, result.refusal);
    else this.#refused(held, result.refusal);
  }

  #written(held: HeldJob): void {
    const { reporter, links } = this.#parts;
    const { loop, upkeep, releaser } = links();
    this.#drop(held);
    reporter.written(held);
    const { to, dueInMs = 0, cause } = held.settlement ?? {};
    if (to === 'parked') {
      upkeep.tickIn(dueInMs);
      releaser.parked(cause);
    } else if (to === 'scheduled' && dueInMs > 0) upkeep.dueIn(dueInMs);
    else if (to === 'scheduled' || to === 'ready') loop.expectWork();
  }

  #refused(held: HeldJob, refusal: string): void {
    this.#drop(held);
    this.#parts.reporter.notify({ kind: 'stale_settlement', jobId: held.jobId, refusal });
  }

  /** The store was asked twice and refuses the second time: perhaps it has carried out the first. */
  async #checkWritten(held: HeldJob, refusal: string): Promise<void> {
    if (await wasWritten(this.#parts.store, held.settlement)) this.#written(held);
    else this.#refused(held, refusal);
  }

  /** Nothing is written: another process has the job, or will have it. */
  forget(held: HeldJob): void {
    if (held.hasPlace) this.#leaveLane(held);
    else this.#parts.queue.freed(held.lane);
    held.phase = 'ended';
    this.#drop(held);
    this.#parts.links().loop.wake();
  }

  #drop(held: HeldJob): void {
    this.all.delete(held);
    this.#parts.company.remove(held);
    if (this.all.size === 0) this.#onEmpty?.();
  }

  /** Resolves when none is held any more. */
  async empty(): Promise<void> {
    if (this.all.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }

  /** The lease may have run out, or (`certain`) another process has it. */
  lost(held: HeldJob, certain: boolean): void {
    const { reporter, clock, queue, links } = this.#parts;
    const { executor, watchLimit } = links();
    // It has ended: the store's answer to its settlement will say so.
    if (held.phase === 'ended') return;
    held.isTaken ||= certain;
    if (held.isLost) return;
    held.isLost = true;
    reporter.notify({ kind: 'lease_lost', jobId: held.jobId, handler: held.handler });
    if (held.phase === 'running') {
      held.end('lease_lost', cutReasons.leaseLost(held.jobId));
      held.limitMs = clock.monotonic() + ABORT_GRACE_MS;
      watchLimit(held.limitMs);
      return;
    }
    queue.remove((each) => each === held);
    if (certain) this.forget(held);
    else executor.conclude(held, { outcome: { kind: 'interrupted' } });
  }

  /** A user cancelled it. */
  cancel(held: HeldJob): void {
    const { queue, links } = this.#parts;
    if (held.phase === 'running') this.#cut(held, 'cancel', cutReasons.cancelled(held.jobId));
    if (held.phase === 'running' || held.phase === 'ended') return;
    queue.remove((each) => each === held);
    const outcome = { kind: 'failure', errorClass: 'ignored', effect: 'none' } as const;
    links().executor.conclude(held, { outcome });
  }

  /** A kill switch ends its attempt. Unless the handler succeeds all the same, the job is given back. */
  kill(held: HeldJob): void {
    if (held.phase === 'running') this.#cut(held, 'killed', cutReasons.killed());
  }

  /** Aborts its signal. A handler that does not listen to it loses its place to another job after a moment. */
  #cut(held: HeldJob, cut: Cut, reason: unknown): void {
    // Every heartbeat reports the cancellation again: the time of grace must not begin anew.
    if (held.cut !== undefined) return;
    held.end(cut, reason);
    held.limitMs = this.#parts.clock.monotonic() + ABORT_GRACE_MS;
    this.#parts.links().watchLimit(held.limitMs);
  }

  /** The time limit of an attempt has passed, or after that the time of grace. */
  timeUp(held: HeldJob, nowMs: number): void {
    const { attemptTimeoutMs } = held.version.policy;
    switch (held.cut) {
      case undefined:
        held.end('timeout', timeoutOf(held, nowMs));
        held.limitMs = nowMs + ABORT_GRACE_MS;
        break;
      case 'stopping':
        // The caller of stop() sets this limit.
        held.limitMs = Infinity;
        break;
      case 'killed':
        // A person decides about an unknown effect, and the handler may still be running: it keeps all of its time.
        if (held.lane.handler.onUnknown === 'ask') {
          const leftMs = Math.min(attemptTimeoutMs - (nowMs - held.startMs), held.timeLeftMs);
          held.limitMs = nowMs + leftMs;
          if (leftMs > 0) break;
          held.cut = 'timeout';
          held.cutReason = timeoutOf(held, nowMs);
        }
        this.#parts.links().executor.giveUp(held);
        break;
      default:
        this.#parts.links().executor.giveUp(held);
    }
  }

  /** Gives back jobs that wait here, uncharged. */
  giveBack(isMeant: (held: HeldJob) => boolean): void {
    const { queue } = this.#parts;
    for (const held of queue.remove(isMeant)) this.#giveUp(held);
  }

  #giveUp(held: HeldJob): void {
    this.#parts.links().executor.conclude(held, { outcome: { kind: 'interrupted' } });
  }
}
