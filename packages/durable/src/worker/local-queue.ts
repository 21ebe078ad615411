import type { ResolvedHandler } from '../handler/resolve-handlers.ts';
import { RunningMean } from './claim-ahead.ts';
import type { HeldJob } from './held-job.ts';

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
  /** The fewest attempts that a policy of its jobs allows, where jobs name their own. */
  fewestAttempts = Infinity;

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
export class LocalQueue {
  readonly #lanes: readonly Lane[];
  #jobs: HeldJob[] = [];
  #size = 0;

  constructor(lanes: readonly Lane[]) {
    this.#lanes = lanes;
  }

  get size(): number {
    return this.#size;
  }

  /** Jobs that a crash would cost most come before all others. */
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
