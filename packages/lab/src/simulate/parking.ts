import { type CauseFacts, planRelease, type ReleasePlan } from '@redrive/durable/control/rules';
import type { EventTarget } from './event-heap.ts';
import { Queue } from './queue.ts';
import type { World } from './world.ts';

/** Least time between two releases, and the age at which outcomes say nothing about the pace: those of the releaser. */
const TURN_MS = 100;
const FORGET_AFTER_MS = 2_000;
/** More releasers change nothing: they share one pace. */
const MAX_RELEASERS = 10;

/** Why jobs are parked: until when, and the time of the next probe, if the cause has probes. */
export type CauseState = Pick<CauseFacts, 'lastsMs' | 'probeAtMs'>;

/**
 * Jobs that are parked under one cause, and their release: `planRelease` of durable decides, when a probe is due or the
 * cause is gone. Workers share the pace and take turns; each knows only the outcomes of its own attempts since its own last
 * release, as in production: with two workers the pace sinks twice for one queue.
 */
export class ParkedJobs<Job> implements EventTarget {
  readonly #world: World;
  readonly #cause: () => CauseState;
  /** Whether the workers have no room for more jobs. */
  readonly #isFull: () => boolean;
  readonly #release: (job: Job) => void;
  /** In the order in which they were parked. */
  readonly #jobs = new Queue<Job>();
  #park: CauseFacts['park'];
  #turnAtMs = Infinity;
  #turnedAtMs = -Infinity;
  readonly #releasers: Outcomes[];
  #turn = 0;

  constructor(
    world: World,
    cause: () => CauseState,
    isFull: () => boolean,
    release: (job: Job) => void,
  ) {
    this.#world = world;
    const count = Math.min(world.scene.callers.processes, MAX_RELEASERS);
    this.#releasers = Array.from({ length: count }, () => new Outcomes());
    this.#cause = cause;
    this.#isFull = isFull;
    this.#release = release;
  }

  get size(): number {
    return this.#jobs.size;
  }

  park(job: Job): void {
    this.#jobs.push(job);
    if (this.size === 1) this.changed();
  }

  /** The cause has changed: a turn comes soon. */
  changed(): void {
    this.#turnAt(Math.max(this.#world.nowMs, this.#turnedAtMs + TURN_MS));
  }

  /** The outcome of an attempt at the same dependency, of a parked job or another one. */
  count(process: number, failed: boolean, latencyMs: number): void {
    this.#releasers[process % this.#releasers.length]?.add(failed, latencyMs);
  }

  wake(): void {
    const { nowMs } = this.#world;
    // A turn that was moved to an earlier time has been taken.
    if (nowMs < this.#turnAtMs) return;
    this.#turnAtMs = Infinity;
    this.#turnedAtMs = nowMs;
    this.#turn += 1;
    const outcomes = this.#releasers[this.#turn % this.#releasers.length];
    const parked = this.#isFull() ? Math.min(1, this.size) : this.size;
    const feedback = outcomes?.feedback(nowMs);
    const plan = planRelease({ ...this.#cause(), park: this.#park, parked, feedback }, nowMs);
    if (plan.kind === 'release') outcomes?.reset(nowMs);
    this.#carryOut(plan);
    const waitMs =
      plan.kind === 'wait' ? Math.max(1, plan.forMs) : TURN_MS / this.#releasers.length;
    if (plan.kind !== 'forget' && waitMs < Infinity) this.#turnAt(nowMs + waitMs);
  }

  #turnAt(atMs: number): void {
    if (atMs >= this.#turnAtMs) return;
    this.#turnAtMs = atMs;
    this.#world.heap.add(atMs, this, 0);
  }

  #carryOut(plan: ReleasePlan): void {
    if (plan.kind === 'wait') return;
    this.#park = plan.kind === 'forget' ? undefined : plan.park;
    if (plan.kind === 'probe') this.#releaseSome(1);
    if (plan.kind === 'release') this.#releaseSome(plan.jobs);
  }

  #releaseSome(limit: number): void {
    for (const job of this.#jobs.take(limit)) this.#release(job);
  }
}

/** Outcomes of one worker since its last release. */
class Outcomes {
  #succeeded = 0;
  #failed = 0;
  #latencyMs = 0;
  #sinceMs = -Infinity;

  add(failed: boolean, latencyMs: number): void {
    if (failed) this.#failed += 1;
    else this.#succeeded += 1;
    this.#latencyMs += latencyMs;
  }

  feedback(nowMs: number): CauseFacts['feedback'] {
    const total = this.#succeeded + this.#failed;
    if (total === 0 || nowMs - this.#sinceMs > FORGET_AFTER_MS) return undefined;
    const meanLatencyMs = this.#latencyMs / total;
    return { succeeded: this.#succeeded, failed: this.#failed, meanLatencyMs };
  }

  reset(nowMs: number): void {
    this.#succeeded = 0;
    this.#failed = 0;
    this.#latencyMs = 0;
    this.#sinceMs = nowMs;
  }
}
