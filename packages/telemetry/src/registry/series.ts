/** One series of a counter or a gauge. */
export interface NumberSeries {
  /** As they are exposed, without braces: `operation="mail",result="recovered"`. */
  readonly labels: string;
  value: number;
}

/** An observation with the trace that it belongs to. */
export interface Exemplar {
  readonly traceId: string;
  readonly value: number;
  readonly atMs: number;
}

const TRACE_ID = /^[0-9a-f]{32}$/;

/** One series of a histogram. */
export class HistogramSeries {
  readonly labels: string;
  readonly #bounds: readonly number[];
  /** Per bucket, not cumulative; the last one is above all bounds. */
  readonly counts: number[];
  /** The newest of each bucket. */
  readonly exemplars: (Exemplar | undefined)[] = [];
  sum = 0;
  readonly #onObserve: ((value: number) => void) | undefined;

  constructor(labels: string, bounds: readonly number[], onObserve?: (value: number) => void) {
    this.labels = labels;
    this.#bounds = bounds;
    this.#onObserve = onObserve;
    this.counts = new Array(bounds.length + 1).fill(0);
  }

  /** @param traceId ignored unless it is one of W3C trace context: other ids can be anything. */
  observe(value: number, traceId?: string, atMs = 0): void {
    let bucket = 0;
    const bounds = this.#bounds;
    while (bucket < bounds.length && value > (bounds[bucket] ?? Infinity)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sum += value;
    this.#onObserve?.(value);
    if (traceId !== undefined && TRACE_ID.test(traceId)) {
      this.exemplars[bucket] = { traceId, value, atMs };
    }
  }
}
