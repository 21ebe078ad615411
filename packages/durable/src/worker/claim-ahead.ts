import { LEASES_UNTIL_TAKEN } from '../job/suspects.ts';
import type { ClaimCommand, ClaimResult } from '../store/commands.ts';
import type { Lane } from './held-jobs.ts';

/** As many jobs are claimed ahead as run in this time, so that none waits here for long while another worker is idle. */
const AHEAD_MS = 20;
/** The same, where the store takes long to answer: never more than this. */
const MAX_AHEAD_MS = 100;
/** Handlers that take longer hardly notice the way to the store. */
const MAX_MEAN_MS = 500;
/** When no attempt has finished for this long, the jobs that run are not fast, whatever was measured before. */
const STALLED_MS = 100;
/** More is given back when a third of the lease is over. */
const LEASE_SHARE = 1 / 3;
/** If a claim took fewer jobs ahead than there are, so many claims take none. */
const HOLD_OFF = 16;
/** After a crash, the jobs that were claimed wait until their leases run out: never more than these. */
const MAX_AHEAD = 2_000;
/** A new worker knows little about its jobs: it claims ahead no more than this for each attempt that has finished. */
const AHEAD_PER_FINISHED = 16;
/** Payloads that wait here are in memory. */
const MAX_AHEAD_BYTES = 16 * 1024 * 1024;

/**
 * How many jobs to claim ahead of time. It hides the way to the store, during which the places of finished jobs stay empty.
 * The slower the handlers and the fewer run at once, the fewer jobs finish in that time: few slow handlers get none.
 */
export class ClaimAhead {
  /** Over the jobs of all handlers that are not slow, as they finish. */
  readonly #meanMs = new RunningMean();
  readonly #meanBytes = new RunningMean();
  /** How long the store takes to answer a claim. */
  readonly #answerMs = new RunningMean();
  readonly #leaseMs: number;
  #lastFinishedMs = -Infinity;
  #finished = 0;
  #holdOff = 0;

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
  }

  /** Learns from an attempt that finished just now. */
  measure({ meanMs }: Lane, durationMs: number, payloadBytes: number, nowMs: number): void {
    this.#lastFinishedMs = nowMs;
    this.#finished += 1;
    meanMs.add(durationMs);
    if (durationMs > MAX_MEAN_MS) return;
    this.#meanMs.add(durationMs);
    this.#meanBytes.add(payloadBytes);
  }

  /**
   * Learns from a claim. One that filled the room and got nothing ahead, or less than there was, walked past jobs that
   * may not be claimed ahead, and will for a while: if most jobs have lost a lease, that costs more than it brings.
   */
  claimed({ limit, ahead }: ClaimCommand, { jobs, more }: ClaimResult, answerMs: number): void {
    const got = jobs.length;
    this.#answerMs.add(answerMs);
    if (ahead === 0) this.#holdOff = Math.max(0, this.#holdOff - 1);
    else if (more ? got < limit + ahead : limit > 0 && got === limit) this.#holdOff = HOLD_OFF;
  }

  /** How long the store takes to answer a claim. */
  get answerMs(): number {
    return this.#answerMs.value ?? 0;
  }

  /** How many jobs should wait in this process, besides those that run. */
  target(concurrency: number, lanes: readonly Lane[], nowMs: number): number {
    const { value: meanMs } = this.#meanMs;
    if (meanMs === undefined || this.#holdOff > 0) return 0;
    if (nowMs - this.#lastFinishedMs > STALLED_MS) return 0;
    const places = lanes.reduce(
      (sum, lane) => sum + (this.goesAhead(lane) ? lane.handler.concurrency : 0),
      0,
    );
    // More is claimed when half of it is left, and that half must last until the answer.
    const wantedMs = Math.max(AHEAD_MS, Math.min(2 * (this.#answerMs.value ?? 0), MAX_AHEAD_MS));
    const aheadMs = Math.min(wantedMs, this.#leaseMs * LEASE_SHARE);
    const byTime = (aheadMs * Math.min(concurrency, places)) / meanMs;
    const bySize = MAX_AHEAD_BYTES / (this.#meanBytes.value ?? 0);
    // Where nothing takes time or room, both are Infinity.
    const most = Math.min(MAX_AHEAD, AHEAD_PER_FINISHED * this.#finished);
    return places === 0 ? 0 : Math.floor(Math.min(byTime, bySize, most));
  }

  /**
   * Whether jobs of this handler may be claimed ahead. The first jobs are not, because their duration is unknown; nor are
   * jobs whose unknown effects a person decides about, because a crash would send jobs to that person that never started;
   * nor are those whose TTL could pass after a crash, before another worker takes them; nor are those of a handler that is
   * slow beside the others, because the mean of all says how many jobs may wait.
   */
  goesAhead({ meanMs: { value: ownMs }, handler, shortestTtlMs }: Lane): boolean {
    if (handler.onUnknown !== 'retry' || ownMs === undefined) return false;
    if (shortestTtlMs <= LEASES_UNTIL_TAKEN * this.#leaseMs) return false;
    return ownMs <= AHEAD_MS || (ownMs <= MAX_MEAN_MS && ownMs <= 1.25 * (this.#meanMs.value ?? 0));
  }
}

/** Weight of a new measurement: the mean rises faster than it falls. */
const RISING = 0.3;
const FALLING = 0.1;

/** A moving mean that errs on the large side. */
export class RunningMean {
  /** `undefined`: nothing was measured yet. */
  value: number | undefined = undefined;

  add(measured: number): void {
    const { value } = this;
    if (value === undefined) this.value = measured;
    else this.value = value + (measured - value) * (measured > value ? RISING : FALLING);
  }
}
