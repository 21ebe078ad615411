import type { Clock, Timer } from '@redrive/core';
import type { LeasedJob } from '../job/job.ts';
import type { JobLedger } from '../ledger/ledger-store.ts';
import type { ClaimAhead } from './claim-ahead.ts';
import type { Company } from './company.ts';
import type { Guards } from './guards.ts';
import { HeldJob } from './held-job.ts';
import type { Lane, LocalQueue } from './local-queue.ts';
import type { LoopRequests } from './loop-requests.ts';
import type { PolicyVersions } from './policy-versions.ts';
import type { StoreTime } from './store-contact.ts';

export interface HeldJobsParts {
  readonly clock: Clock;
  readonly time: StoreTime;
  readonly ledger: JobLedger;
  readonly lanes: readonly Lane[];
  readonly queue: LocalQueue;
  readonly ahead: ClaimAhead;
  readonly company: Company;
  readonly policies: PolicyVersions;
  readonly guards: Guards;
  readonly requests: LoopRequests;
  readonly leaseMs: number;
}

/** The jobs that this process holds, from claim to settlement, and the places of those that run. */
export class HeldJobs {
  readonly all = new Set<HeldJob>();
  readonly limits: AttemptLimits;
  /** Attempts that run. */
  running = 0;
  readonly #parts: HeldJobsParts;
  readonly #lanes: ReadonlyMap<string, Lane>;
  #onEmpty: (() => void) | undefined;

  constructor(parts: HeldJobsParts) {
    this.#parts = parts;
    this.#lanes = new Map(parts.lanes.map((lane) => [lane.handler.name, lane]));
    this.limits = new AttemptLimits(parts.clock, this.all);
  }

  /** A job was claimed: it waits in the local queue. */
  hold(job: LeasedJob, askedAtMs: number): HeldJob | undefined {
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

  /** Nothing is written: another process has the job, or will have it. */
  forget(held: HeldJob): void {
    this.#leaveLane(held);
    held.phase = 'finished';
    this.remove(held);
    this.#parts.requests.wake();
  }

  /** A job without a place had the turn of one that waits for the handler's limit, and did not use it. */
  #leaveLane(held: HeldJob): void {
    if (held.hasPlace) {
      held.hasPlace = false;
      this.running -= 1;
      held.lane.running -= 1;
    }
    this.#parts.queue.freed(held.lane);
  }

  /** Its settlement is written or refused, or is left to another process. */
  remove(held: HeldJob): void {
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
}

/**
 * One timer for the limits of all attempts: it wakes at the earliest and looks at all. Most attempts end long before
 * their limit, and a timer for each would cost more than the rest of a short one.
 */
export class AttemptLimits {
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
