import { exposedName } from '../catalogue/labels.ts';
import type { MetricEntry } from '../catalogue/metric.ts';
import type { KnownNames } from './known-names.ts';
import { HistogramSeries, type NumberSeries } from './series.ts';

/** Asked for each series of a histogram: returns a listener of its observations. */
export type OnObserve = (
  entry: MetricEntry,
  labels: string,
) => ((value: number) => void) | undefined;

/** A metric with all its series. */
export class Family {
  readonly entry: MetricEntry;
  readonly numbers = new Map<string, NumberSeries>();
  readonly histograms = new Map<string, HistogramSeries>();
  readonly #known: KnownNames;
  readonly #onObserve: OnObserve | undefined;

  constructor(entry: MetricEntry, known: KnownNames, onObserve?: OnObserve) {
    this.entry = entry;
    this.#known = known;
    this.#onObserve = onObserve;
  }

  /** The series of a counter or a gauge with these values of its labels, in their order. */
  number(...values: readonly string[]): NumberSeries {
    return this.#number(this.#text(values));
  }

  histogram(...values: readonly string[]): HistogramSeries {
    return this.#histogram(this.#text(values));
  }

  /** Makes the series that are known in advance. Those that exist stay as they are. */
  makeKnown(): void {
    const { labels, type, zero } = this.entry;
    if (!zero) return;
    let rows: readonly (readonly string[])[] = [[]];
    for (const label of labels) {
      const values = this.#known.values(label);
      rows = rows.flatMap((row) => values.map((value) => [...row, value]));
    }
    const texts = rows.map((row) => labelText(labels, row));
    for (const text of texts) type === 'histogram' ? this.#histogram(text) : this.#number(text);
  }

  clear(): void {
    this.numbers.clear();
    this.histograms.clear();
  }

  #number(text: string): NumberSeries {
    return atKey(this.numbers, text, (labels) => ({ labels, value: 0 }));
  }

  #histogram(text: string): HistogramSeries {
    const { buckets = [] } = this.entry;
    return atKey(this.histograms, text, (labels) => {
      const listener = this.#onObserve?.(this.entry, labels);
      return new HistogramSeries(labels, buckets, listener);
    });
  }

  #text(values: readonly string[]): string {
    const { labels } = this.entry;
    return labelText(
      labels,
      labels.map((label, index) => this.#known.exposed(label, values[index] ?? '')),
    );
  }
}

function atKey<T>(all: Map<string, T>, key: string, make: (key: string) => T): T {
  let found = all.get(key);
  if (found === undefined) {
    found = make(key);
    all.set(key, found);
  }
  return found;
}

function labelText(labels: readonly string[], values: readonly string[]): string {
  return labels
    .map((label, index) => `${exposedName(label)}="${escaped(values[index])}"`)
    .join(',');
}

function escaped(value = ''): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
