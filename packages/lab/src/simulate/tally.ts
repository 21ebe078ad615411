import type { Scene } from '../scene/scene.ts';
import { Histogram } from './histogram.ts';
import type { RunResult, Series } from './result.ts';

/** More points than any screen has. A longer simulation has wider ones. */
const MAX_POINTS = 3_600;
const GOODPUT_WINDOW_MS = 10_000;
const GOODPUT_SHARE = 0.95;

/** The counters of a simulation. Their memory does not grow with the number of attempts. */
export class Tally {
  readonly #attempts: number[];
  readonly #latency = new Histogram();
  readonly #stepMs: number;
  readonly #series: Record<keyof Omit<Series, 'stepMs'>, Float64Array>;
  #sessions = 0;
  #succeeded = 0;
  #exhausted = 0;
  #parked = 0;
  #mostParked = 0;
  #lastEndMs = 0;
  #second = -1;
  #inSecond = 0;
  #peak = 0;

  constructor(scene: Scene, horizonMs: number) {
    this.#attempts = scene.callers.layers.map(() => 0);
    this.#stepMs = 1_000 * Math.max(1, Math.ceil(horizonMs / 1_000 / MAX_POINTS));
    const points = () => new Float64Array(Math.ceil(horizonMs / this.#stepMs) + 1);
    this.#series = {
      arrivals: points(),
      attempts: points(),
      succeeded: points(),
      exhausted: points(),
      parked: points(),
    };
  }

  /** Attempts of all layers. */
  get attempts(): number {
    return this.#attempts.reduce((sum, count) => sum + count, 0);
  }

  get open(): number {
    return this.#sessions - this.#succeeded - this.#exhausted;
  }

  arrived(nowMs: number): void {
    this.#sessions += 1;
    this.#count(this.#series.arrivals, nowMs);
  }

  attempted(layer: number, nowMs: number): void {
    this.#attempts[layer] = (this.#attempts[layer] ?? 0) + 1;
    if (layer < this.#attempts.length - 1) return;
    this.#count(this.#series.attempts, nowMs);
    const second = Math.floor(nowMs / 1_000);
    this.#inSecond = second === this.#second ? this.#inSecond + 1 : 1;
    this.#second = second;
    this.#peak = Math.max(this.#peak, this.#inSecond);
  }

  succeeded(nowMs: number, latencyMs: number): void {
    this.#succeeded += 1;
    this.#lastEndMs = nowMs;
    this.#latency.add(latencyMs);
    this.#count(this.#series.succeeded, nowMs);
  }

  exhausted(nowMs: number): void {
    this.#exhausted += 1;
    this.#lastEndMs = nowMs;
    this.#count(this.#series.exhausted, nowMs);
  }

  /** `count` jobs are parked now. */
  parked(nowMs: number, count: number): void {
    this.#parked = count;
    this.#mostParked = Math.max(this.#mostParked, count);
    const point = Math.floor(nowMs / this.#stepMs);
    this.#series.parked[point] = Math.max(this.#series.parked[point] ?? 0, count);
  }

  /** @param fromMs the end of the last outage. `undefined`: there was none. */
  result(
    fromMs: number | undefined,
    isCut: boolean,
  ): Omit<RunResult, 'attemptsWhileDown' | 'othersSucceeded'> {
    const sessions = this.#sessions;
    const series = { stepMs: this.#stepMs, ...mapped(this.#series) };
    const originMs = fromMs ?? 0;
    const finished = this.open === 0 && !isCut;
    return {
      sessions,
      succeeded: this.#succeeded,
      exhausted: this.#exhausted,
      parked: this.#parked,
      mostParked: this.#mostParked,
      attempts: this.attempts,
      layers: this.#attempts.map((attempts) => ({
        attempts,
        amplification: sessions === 0 ? 0 : attempts / sessions,
      })),
      peakPerSecond: this.#peak,
      goodputAfterMs: fromMs === undefined ? undefined : goodputAfterMs(series, fromMs),
      drained99AfterMs: this.#drainedAfterMs(series, originMs, 0.99),
      drainedAfterMs: finished ? Math.max(0, this.#lastEndMs - originMs) : undefined,
      latencyMs: {
        p50: this.#latency.quantile(0.5),
        p95: this.#latency.quantile(0.95),
        p99: this.#latency.quantile(0.99),
      },
      isCut,
      series,
    };
  }

  #count(points: Float64Array, nowMs: number): void {
    const point = Math.floor(nowMs / this.#stepMs);
    points[point] = (points[point] ?? 0) + 1;
  }

  #drainedAfterMs(series: Series, originMs: number, share: number): number | undefined {
    let left = Math.ceil(this.#sessions * share);
    for (let point = 0; point < series.succeeded.length; point += 1) {
      left -= (series.succeeded[point] ?? 0) + (series.exhausted[point] ?? 0);
      if (left <= 0) return Math.max(0, (point + 1) * series.stepMs - originMs);
    }
    return undefined;
  }
}

function mapped(
  series: Record<keyof Omit<Series, 'stepMs'>, Float64Array>,
): Omit<Series, 'stepMs'> {
  const { arrivals, attempts, succeeded, exhausted, parked } = series;
  return {
    arrivals: [...arrivals],
    attempts: [...attempts],
    succeeded: [...succeeded],
    exhausted: [...exhausted],
    parked: [...parked],
  };
}

/** Until ten seconds in which the successes are 95 % of the arrivals. */
function goodputAfterMs(series: Series, fromMs: number): number | undefined {
  const { stepMs, arrivals, succeeded } = series;
  const width = Math.max(1, Math.round(GOODPUT_WINDOW_MS / stepMs));
  const first = Math.ceil(fromMs / stepMs);
  // After the last arrival there is nothing to serve, and late successes would count for all.
  const last = arrivals.findLastIndex((count) => count > 0);
  for (let point = first; point + width <= last; point += 1) {
    let offered = 0;
    let good = 0;
    for (let n = point; n < point + width; n += 1) {
      offered += arrivals[n] ?? 0;
      good += succeeded[n] ?? 0;
    }
    if (good >= offered * GOODPUT_SHARE) return Math.max(0, point * stepMs - fromMs);
  }
  return undefined;
}
