import type { Clock } from '@redrive/core';
import type { ReleaseFeedback } from './rules/release-pace.ts';

/** Older outcomes say nothing about the current pace. */
const FORGET_AFTER_MS = 2_000;

/** Outcomes of this process at one dependency since the last release: successes, failures and their latency. */
export class DependencyOutcomes {
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

  /** `undefined`: no outcome, or the last release was too long ago. Reading does not reset it. */
  get feedback(): ReleaseFeedback | undefined {
    const total = this.#succeeded + this.#failed;
    if (total === 0 || this.#clock.monotonic() - this.#sinceMs > FORGET_AFTER_MS) return undefined;
    const meanLatencyMs = this.#latencyMs / total;
    return { succeeded: this.#succeeded, failed: this.#failed, meanLatencyMs };
  }

  /** A release has used the feedback: counting begins again. */
  reset(): void {
    this.#succeeded = 0;
    this.#failed = 0;
    this.#latencyMs = 0;
    this.#sinceMs = this.#clock.monotonic();
  }
}

/** Policies and handlers name dependencies: there are fewer of them. */
const MAX_DEPENDENCIES = 10_000;

/** The same for every dependency, and for all of them together. */
export class AllOutcomes {
  readonly #clock: Clock;
  readonly #byDependency = new Map<string, DependencyOutcomes>();
  readonly #together: DependencyOutcomes;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#together = new DependencyOutcomes(clock);
  }

  /** `dependency` is empty where a job has none. */
  add(dependency: string, failed: boolean, latencyMs: number): void {
    this.#together.add(failed, latencyMs);
    if (dependency !== '') this.of(dependency).add(failed, latencyMs);
  }

  of(dependency: string | undefined): DependencyOutcomes {
    if (dependency === undefined) return this.#together;
    const known = this.#byDependency.get(dependency);
    if (known !== undefined) return known;
    if (this.#byDependency.size >= MAX_DEPENDENCIES) this.#byDependency.clear();
    const outcomes = new DependencyOutcomes(this.#clock);
    this.#byDependency.set(dependency, outcomes);
    return outcomes;
  }
}
