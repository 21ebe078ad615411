import type { ResolvedHandler } from '../handler/resolve-handlers.ts';
import type { HeldJob } from './held-job.ts';
import { RunningMean } from './running-mean.ts';

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
