import type { Clock, Timer } from '@redrive/core';
import type { ResolvedHandler } from '../handler/resolve-handlers.ts';
import type { LeasedJob } from '../job/job.ts';
import type { Enqueuer } from '../jobs/enqueuer.ts';
import type { JobLedger } from '../ledger/ledger-store.ts';
import { type ClaimAhead, RunningMean } from './claim-ahead.ts';
import type { Guards } from './guards.ts';
import { HeldJob } from './held-job.ts';
import type { LoopRequests } from './loop-requests.ts';
import type { PolicyVersions } from './policy-versions.ts';
import type { StoreTime } from './store-contact.ts';
import type { SuspectClaims } from './suspect-claims.ts';

interface HeldJobsParts {
  readonly clock: Clock;
  readonly time: StoreTime;
  readonly ledger: JobLedger;
  readonly enqueuer: Pick<Enqueuer, 'prepare' | 'prepareMany'>;
  readonly handlers: ReadonlyMap<string, ResolvedHandler>;
  readonly ahead: ClaimAhead;
  readonly suspectClaims: SuspectClaims;
  readonly policies: PolicyVersions;
  readonly guards: Guards;
  readonly requests: LoopRequests;
  readonly leaseMs: number;
}

/** The jobs that this process holds, from claim to settlement, and the places of those that run. */
export class HeldJobs {
  readonly all = new Set<HeldJob>();
  readonly lanes: readonly Lane[];
  /** Those that have not started. */
  readonly queue: LocalQueue;
  readonly limits: AttemptLimits;
  /** Attempts that run. */
  running = 0;
  readonly #parts: HeldJobsParts;
  readonly #laneOf: ReadonlyMap<string, Lane>;
  #onEmpty: (() => void) | undefined;

  constructor(parts: HeldJobsParts) {
    this.#parts = parts;
    this.lanes = [...parts.handlers.values()].map((handler) => new Lane(handler));
    this.queue = new LocalQueue(this.lanes);
    this.#laneOf = new Map(this.lanes.map((lane) => [lane.handler.name, lane]));
    this.limits = new AttemptLimits(parts.clock, this.all);
  }

  /** A job was claimed: it waits in the local queue. */
  hold(job: LeasedJob, askedAtMs: number): HeldJob | undefined {
    const { policies, guards, clock, time, ledger, enqueuer, leaseMs, suspectClaims } = this.#parts;
    const lane = this.#laneOf.get(job.handler);
    if (lane === undefined) return undefined; // No lane asked for it.
    const version = policies.ofJob(job, lane.handler);
    lane.shortestTtlMs = Math.min(lane.shortestTtlMs, version.policy.ttlMs);
    const held = new HeldJob(
      job,
      lane,
      version,
      guards.of(lane.handler, version),
      time,
      ledger,
      enqueuer,
      clock.monotonic(),
      askedAtMs + leaseMs,
    );
    this.all.add(held);
    suspectClaims.add(held);
    this.queue.add(held);
    return held;
  }

  /** An attempt starts, or is about to: it has its place from now on. */
  started(held: HeldJob): void {
    if (!held.hasPlace) {
      held.hasPlace = true;
      this.running += 1;
      held.lane.running += 1;
    }
    this.limits.watch(held.limitMs);
  }

  /** An attempt has finished, or did not start, and must be written. */
  finished(held: HeldJob): void {
    const { ahead, clock, requests } = this.#parts;
    this.#leaveLane(held);
    if (held.ran) {
      const { payload } = held.job;
      const bytes = payload.kind === 'json' ? payload.text.length : payload.bytes.length;
      const nowMs = clock.monotonic();
      ahead.measure(held.lane, nowMs - held.startMs, bytes, nowMs);
    }
    requests.settle(held);
  }

  /** Its settlement was refused because of a job that it enqueued: there is another one. */
  settleAgain(held: HeldJob): void {
    this.#parts.requests.settle(held);
  }

  /** Nothing is written: another process has the job, or will have it. */
  forget(held: HeldJob): void {
    this.#leaveLane(held);
    held.phase = 'finished';
    this.remove(held);
    this.#parts.requests.wake();
  }

  /** Frees the place of the attempt. A job that did not start had none; the next job of its lane is looked at all the same. */
  #leaveLane(held: HeldJob): void {
    if (held.hasPlace) {
      held.hasPlace = false;
      this.running -= 1;
      held.lane.running -= 1;
    }
    this.queue.freed(held.lane);
  }

  /** Its settlement is written or refused, or is left to another process. */
  remove(held: HeldJob): void {
    this.all.delete(held);
    this.#parts.suspectClaims.remove(held);
    if (this.all.size === 0) this.#onEmpty?.();
  }

  /** Resolves when none is held any more. */
  async empty(): Promise<void> {
    if (this.all.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }
}

/** One handler in this process: how many of its jobs are here, and how long they take. */
export class Lane {
  readonly handler: ResolvedHandler;
  running = 0;
  /** Claimed and not started. */
  waiting = 0;
  /** Jobs that were passed over because the handler is at its limit, the oldest first. */
  passed: HeldJob[] = [];
  /** How long its jobs take. */
  readonly meanMs = new RunningMean();
  /** Of the policies that its jobs have had in this process. */
  shortestTtlMs = Infinity;

  constructor(handler: ResolvedHandler) {
    this.handler = handler;
  }

  get hasRoom(): boolean {
    return this.running < this.handler.concurrency;
  }

  /** Jobs of it that may run now, besides those that are here. */
  get room(): number {
    return Math.max(0, this.handler.concurrency - this.running - this.waiting);
  }
}

/** Jobs that are claimed and wait for their turn in this process. A handler at its limit does not hold up the others. */
class LocalQueue {
  readonly #lanes: readonly Lane[];
  #jobs: HeldJob[] = [];
  #size = 0;

  constructor(lanes: readonly Lane[]) {
    this.#lanes = lanes;
  }

  get size(): number {
    return this.#size;
  }

  /** Jobs that may be the cause of crashes come before all others. */
  add(held: HeldJob): void {
    held.lane.waiting += 1;
    this.#size += 1;
    if (held.isRisky) this.#jobs.unshift(held);
    else this.#jobs.push(held);
  }

  /** The next job that may start, if there is one. */
  take(): HeldJob | undefined {
    for (let held = this.#jobs.shift(); held !== undefined; held = this.#jobs.shift()) {
      if (held.lane.hasRoom) return this.#leave(held);
      held.lane.passed.push(held);
    }
    return undefined;
  }

  /** A job of this lane has finished: one that was passed over is next. */
  freed(lane: Lane): void {
    const held = lane.passed.shift();
    if (held !== undefined) this.#jobs.unshift(held);
  }

  /** Takes out the jobs that are meant. */
  remove(isMeant: (held: HeldJob) => boolean): HeldJob[] {
    const removed: HeldJob[] = [];
    const stays = (held: HeldJob): boolean => {
      if (!isMeant(held)) return true;
      removed.push(this.#leave(held));
      return false;
    };
    this.#jobs = this.#jobs.filter(stays);
    for (const lane of this.#lanes) lane.passed = lane.passed.filter(stays);
    return removed;
  }

  #leave(held: HeldJob): HeldJob {
    held.lane.waiting -= 1;
    this.#size -= 1;
    return held;
  }
}

/**
 * One timer for the limits of all attempts: it wakes at the earliest and looks at all. Most attempts end long before
 * their limit, and a timer for each would cost more than the rest of a short one.
 */
class AttemptLimits {
  readonly #clock: Clock;
  readonly #held: ReadonlySet<HeldJob>;
  #onLimit: (held: HeldJob, nowMs: number) => void = () => {};
  #timer: Timer | undefined;
  #wakeAtMs = Infinity;

  constructor(clock: Clock, held: ReadonlySet<HeldJob>) {
    this.#clock = clock;
    this.#held = held;
  }

  onLimit(listener: (held: HeldJob, nowMs: number) => void): void {
    this.#onLimit = listener;
  }

  watch(limitMs: number): void {
    if (limitMs >= this.#wakeAtMs) return;
    this.#timer?.cancel();
    this.#wakeAtMs = limitMs;
    const delayMs = Math.max(0, limitMs - this.#clock.monotonic());
    this.#timer = this.#clock.setTimer(delayMs, () => this.#wake());
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#wakeAtMs = Infinity;
  }

  #wake(): void {
    this.close();
    const nowMs = this.#clock.monotonic();
    for (const held of this.#held) {
      if (held.phase === 'running' && held.limitMs <= nowMs) this.#onLimit(held, nowMs);
    }
    for (const { phase, limitMs } of this.#held) if (phase === 'running') this.watch(limitMs);
  }
}
