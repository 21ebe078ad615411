/** The result of one run. */
export interface RunResult {
  readonly sessions: number;
  readonly succeeded: number;
  /** Given up: exhausted, final, refused by a breaker or a budget. */
  readonly exhausted: number;
  /** Parked at the end. */
  readonly parked: number;
  readonly mostParked: number;
  /** Of all layers. */
  readonly attempts: number;
  /** The outermost first. Amplification: attempts per session. */
  readonly layers: readonly { readonly attempts: number; readonly amplification: number }[];
  /** Calls at the dependency that began while it refused or stalled. */
  readonly attemptsWhileDown: number;
  /** The most calls at the dependency in one second. */
  readonly peakPerSecond: number;
  /**
   * From the end of the last outage to the first ten seconds whose successes are at least 95 % of the arrivals.
   * `undefined`: never, or there was no outage.
   */
  readonly goodputAfterMs: number | undefined;
  /** From the end of the last outage, or the beginning, until 99 % of the sessions had ended, and all. `undefined`: never. */
  readonly drained99AfterMs: number | undefined;
  readonly drainedAfterMs: number | undefined;
  /** Of sessions that succeeded, from their arrival. */
  readonly latencyMs: {
    readonly p50: number | undefined;
    readonly p95: number | undefined;
    readonly p99: number | undefined;
  };
  /** Share of others' calls that succeeded in the two minutes after the last outage. `undefined`: there were none. */
  readonly othersSucceeded: number | undefined;
  /** It ended at a limit: see `RunLimits`. */
  readonly isCut: boolean;
  readonly series: Series;
}

/** One number per step. `attempts` are calls at the dependency; `parked` is the largest number of parked jobs. */
export interface Series {
  readonly stepMs: number;
  readonly arrivals: readonly number[];
  readonly attempts: readonly number[];
  readonly succeeded: readonly number[];
  readonly exhausted: readonly number[];
  readonly parked: readonly number[];
}
