import type { ResolvedBreakerOptions } from './breaker-options.ts';

/** Counts the outcomes of a closed breaker and says when it should open. */
export interface Tally {
  /** Enters one outcome. True: time to open; a success never says so. */
  add(failed: boolean): boolean;
  /** The counts now. */
  counts(): Counts;
}

export interface Counts {
  /** Calls in the window; 0 where there is no window. */
  readonly calls: number;
  readonly failures: number;
}

/** Failures in a row. Reads no clock: it runs after every successful call. */
class ConsecutiveTally implements Tally {
  readonly #threshold: number;
  #failures: number;

  constructor(threshold: number, { failures }: Counts) {
    this.#threshold = threshold;
    this.#failures = failures;
  }

  add(failed: boolean): boolean {
    this.#failures = failed ? this.#failures + 1 : 0;
    return this.#failures >= this.#threshold;
  }

  counts(): Counts {
    return { calls: 0, failures: this.#failures };
  }
}

const BUCKETS = 10;

interface Bucket {
  /** Number of the bucket on the time axis, so that its age shows without anything having to rotate. */
  readonly slot: number;
  calls: number;
  failures: number;
}

/**
 * Share of failures in a window of time. Buckets are dated by monotonic time and dropped by their age, not one per
 * call: after an idle hour nothing of the hour before counts.
 */
class RatioTally implements Tally {
  readonly #options: ResolvedBreakerOptions;
  /** Newest first. */
  #buckets: readonly Bucket[] = [];

  constructor(options: ResolvedBreakerOptions, { calls, failures }: Counts) {
    this.#options = options;
    const bucket = this.#current();
    bucket.calls = calls;
    bucket.failures = failures;
  }

  add(failed: boolean): boolean {
    const bucket = this.#current();
    bucket.calls += 1;
    if (!failed) return false;
    bucket.failures += 1;
    const { calls, failures } = this.counts();
    const { minimumCalls, ratio } = this.#options;
    // Without the small number 7 failures of 100 would not be 0.07 of them.
    return calls >= minimumCalls && failures >= calls * ratio - 1e-9;
  }

  counts(): Counts {
    this.#current();
    let calls = 0;
    let failures = 0;
    for (const bucket of this.#buckets) {
      calls += bucket.calls;
      failures += bucket.failures;
    }
    return { calls, failures };
  }

  /** The current bucket, after dropping buckets that have left the window. */
  #current(): Bucket {
    const { clock, windowMs } = this.#options;
    const slot = Math.floor((clock.monotonic() * BUCKETS) / windowMs);
    const newest = this.#buckets[0];
    if (newest?.slot === slot) return newest;
    const bucket = { slot, calls: 0, failures: 0 };
    this.#buckets = [bucket, ...this.#buckets.filter((old) => old.slot > slot - BUCKETS)];
    return bucket;
  }
}

/** An empty tally, or a tally that continues earlier counts. */
export function newTally(
  options: ResolvedBreakerOptions,
  from: Counts = { calls: 0, failures: 0 },
): Tally {
  return options.mode === 'ratio'
    ? new RatioTally(options, from)
    : new ConsecutiveTally(options.threshold, from);
}
