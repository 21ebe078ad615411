import type { ClaimCommand, ClaimResult } from '../store/commands.ts';
import type { Lane } from './lane.ts';
import { RunningMean } from './running-mean.ts';

/** Jobs are claimed ahead for as long as this takes them, so that nothing waits here while another worker is idle. */
const AHEAD_MS = 20;
/** When nothing has ended for so long, whatever runs is not fast, whatever it was before. */
const STALLED_MS = 100;
/** Claims without it, after one that went ahead in vain. */
const HOLD_OFF = 16;
/** A crash charges whatever is claimed: never more than these. */
const MAX_AHEAD = 2_000;
/** Payloads that wait here are in memory. */
const MAX_AHEAD_BYTES = 16 * 1024 * 1024;

/**
 * How many jobs to claim ahead of time. It hides the way to the store for handlers that take less time than that way; for
 * slow ones it would only keep jobs from other workers, and have a crash charge more of them.
 */
export class ClaimAhead {
  /** Over the jobs of all fast handlers, as they come. */
  readonly #meanMs = new RunningMean();
  readonly #meanBytes = new RunningMean();
  #lastEndMs = -Infinity;
  #holdOff = 0;

  /** Learns from a job that ended just now. */
  measure({ meanMs }: Lane, durationMs: number, payloadBytes: number, nowMs: number): void {
    this.#lastEndMs = nowMs;
    meanMs.add(durationMs);
    if (durationMs > AHEAD_MS) return;
    this.#meanMs.add(durationMs);
    this.#meanBytes.add(payloadBytes);
  }

  /**
   * Learns from a claim. One that filled the room and got nothing ahead, or less than there was, walked past jobs that
   * may not be claimed ahead, and will for a while: where most jobs are on their last attempt, that costs more than it
   * brings.
   */
  claimed({ limit, ahead }: ClaimCommand, { jobs, more }: ClaimResult): void {
    const got = jobs.length;
    if (ahead === 0) this.#holdOff = Math.max(0, this.#holdOff - 1);
    else if (more ? got < limit + ahead : limit > 0 && got === limit) this.#holdOff = HOLD_OFF;
  }

  /** How many jobs of fast handlers should wait in this process, besides those that run. */
  target(concurrency: number, nowMs: number): number {
    const { value: meanMs } = this.#meanMs;
    if (meanMs === undefined || this.#holdOff > 0) return 0;
    if (nowMs - this.#lastEndMs > STALLED_MS) return 0;
    const byTime = (AHEAD_MS * concurrency) / meanMs;
    const bySize = MAX_AHEAD_BYTES / (this.#meanBytes.value ?? 0);
    // Where nothing takes time or room, both are Infinity.
    return Math.floor(Math.min(byTime, bySize, MAX_AHEAD));
  }
}

/**
 * Whether jobs of this handler may be claimed ahead. The first ones never are: nobody knows yet how long they take. Nor are
 * those whose unknown effect is for a person to decide about: a crash would send to that person what never started.
 */
export function goesAhead({ meanMs, handler }: Lane): boolean {
  return handler.onUnknown === 'retry' && meanMs.value !== undefined && meanMs.value <= AHEAD_MS;
}
