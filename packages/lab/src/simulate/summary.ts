import type { RunResult, Series } from './result.ts';

/** Half of the seeds lie between `q1` and `q3`. `null`: never. */
export interface Quartiles {
  readonly q1: number | null;
  readonly median: number | null;
  readonly q3: number | null;
}

/** The results of all seeds of a scene. */
export interface SceneSummary {
  readonly seeds: number;
  /** Seeds that ended at a limit: see `RunLimits`. */
  readonly cut: number;
  readonly layers: readonly { readonly attempts: Quartiles; readonly amplification: Quartiles }[];
  readonly figures: Readonly<Record<Figure, Quartiles>>;
  /** The mean of all seeds. */
  readonly series: Series;
}

const FIGURES = {
  sessions: (run) => run.sessions,
  succeeded: (run) => run.succeeded,
  exhausted: (run) => run.exhausted,
  parked: (run) => run.parked,
  mostParked: (run) => run.mostParked,
  attempts: (run) => run.attempts,
  attemptsWhileDown: (run) => run.attemptsWhileDown,
  peakPerSecond: (run) => run.peakPerSecond,
  goodputAfterMs: (run) => run.goodputAfterMs,
  drained99AfterMs: (run) => run.drained99AfterMs,
  drainedAfterMs: (run) => run.drainedAfterMs,
  latencyP50Ms: (run) => run.latencyMs.p50,
  latencyP95Ms: (run) => run.latencyMs.p95,
  latencyP99Ms: (run) => run.latencyMs.p99,
  othersSucceeded: (run) => run.othersSucceeded,
} as const satisfies Record<string, (run: RunResult) => number | undefined>;

export type Figure = keyof typeof FIGURES;

/** Takes in one run after the other; keeps a few numbers of each. */
export class SummaryOfRuns {
  readonly #runs: Omit<RunResult, 'series'>[] = [];
  #sums: Series | undefined;

  add({ series, ...run }: RunResult): void {
    this.#runs.push(run);
    this.#sums = this.#sums === undefined ? series : mapSeries(series, this.#sums, (a, b) => a + b);
  }

  get(): SceneSummary {
    const runs = this.#runs as RunResult[]; // No figure reads the series.
    const quartiles = (of: (run: RunResult) => number | undefined) => quartilesOf(runs.map(of));
    const names = Object.keys(FIGURES) as Figure[]; // The keys of its type.
    const figures = Object.fromEntries(names.map((name) => [name, quartiles(FIGURES[name])]));
    const sums = this.#sums ?? NO_SERIES;
    return {
      seeds: runs.length,
      cut: runs.filter(({ isCut }) => isCut).length,
      layers: (runs[0]?.layers ?? []).map((_, n) => ({
        attempts: quartiles(({ layers }) => layers[n]?.attempts),
        amplification: quartiles(({ layers }) => layers[n]?.amplification),
      })),
      figures: figures as Record<Figure, Quartiles>, // One per name.
      series: mapSeries(sums, sums, (sum) => sum / Math.max(1, runs.length)),
    };
  }
}

const NO_SERIES: Series = {
  stepMs: 1_000,
  arrivals: [],
  attempts: [],
  succeeded: [],
  exhausted: [],
  parked: [],
};

function mapSeries(a: Series, b: Series, by: (a: number, b: number) => number): Series {
  const points = (name: keyof Omit<Series, 'stepMs'>) =>
    a[name].map((value, n) => by(value, b[name][n] ?? 0));
  return {
    stepMs: a.stepMs,
    arrivals: points('arrivals'),
    attempts: points('attempts'),
    succeeded: points('succeeded'),
    exhausted: points('exhausted'),
    parked: points('parked'),
  };
}

/** A run without the figure never reached it: it stands behind all others. */
function quartilesOf(values: readonly (number | undefined)[]): Quartiles {
  const sorted = values.map((value) => value ?? Infinity).toSorted((a, b) => a - b);
  const at = (share: number) => {
    const place = (sorted.length - 1) * share;
    const lower = sorted[Math.floor(place)] ?? Infinity;
    const upper = sorted[Math.ceil(place)] ?? Infinity;
    if (lower === upper) return lower === Infinity ? null : lower;
    const value = lower + (upper - lower) * (place - Math.floor(place));
    return value === Infinity ? null : value;
  };
  return { q1: at(0.25), median: at(0.5), q3: at(0.75) };
}
