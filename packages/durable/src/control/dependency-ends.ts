import type { Clock } from '@redrive/core';
import type { ReleaseFeedback } from '@redrive/core/control';

/** What ended longer ago says nothing about the pace of now. */
const FORGET_AFTER_MS = 2_000;

/** What ended in this process at one dependency since somebody last asked: successes, failures, and how long they took. */
export class DependencyEnds {
  readonly #clock: Clock;
  #succeeded = 0;
  #failed = 0;
  #latencyMs = 0;
  #sinceMs = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(failed: boolean, latencyMs: number): void {
    if (failed) this.#failed += 1;
    else this.#succeeded += 1;
    this.#latencyMs += latencyMs;
  }

  /** Looks at it without taking it. `undefined`: nothing ended, or nobody has asked for a while. */
  get feedback(): ReleaseFeedback | undefined {
    const ended = this.#succeeded + this.#failed;
    if (ended === 0 || this.#clock.monotonic() - this.#sinceMs > FORGET_AFTER_MS) return undefined;
    const meanLatencyMs = this.#latencyMs / ended;
    return { succeeded: this.#succeeded, failed: this.#failed, meanLatencyMs };
  }

  /** It has been told: counting begins anew. */
  told(): void {
    this.#succeeded = 0;
    this.#failed = 0;
    this.#latencyMs = 0;
    this.#sinceMs = this.#clock.monotonic();
  }
}

/** Dependencies are named by policies and handlers, which are fewer. */
const MAX_DEPENDENCIES = 10_000;

/** The same for every dependency, and for all of them together. */
export class AllEnds {
  readonly #clock: Clock;
  readonly #byDependency = new Map<string, DependencyEnds>();
  readonly #together: DependencyEnds;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#together = new DependencyEnds(clock);
  }

  /** `dependency` is empty where a job has none. */
  add(dependency: string, failed: boolean, latencyMs: number): void {
    this.#together.add(failed, latencyMs);
    if (dependency !== '') this.of(dependency).add(failed, latencyMs);
  }

  of(dependency: string | undefined): DependencyEnds {
    if (dependency === undefined) return this.#together;
    const known = this.#byDependency.get(dependency);
    if (known !== undefined) return known;
    if (this.#byDependency.size >= MAX_DEPENDENCIES) this.#byDependency.clear();
    const ends = new DependencyEnds(this.#clock);
    this.#byDependency.set(dependency, ends);
    return ends;
  }
}
