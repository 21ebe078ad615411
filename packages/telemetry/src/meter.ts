import { type Attributes, type Meter, metrics, type Observable } from '@opentelemetry/api';
import type { MetricEntry } from './catalogue/metric.ts';
import type { Family, OnObserve } from './registry/family.ts';

const NAME = '@redrive/telemetry';

/** The instruments of a meter, with the names of the Prometheus metrics. */
export class Instruments {
  readonly #meter: Meter = metrics.getMeter(NAME);
  readonly #histograms = new Map<string, ReturnType<Meter['createHistogram']>>();
  #stop: (() => void) | undefined;

  /** Records observations when they are made: an SDK does not ask for those of histograms. */
  readonly onObserve: OnObserve = (entry, labels) => {
    const histogram = this.#histogram(entry);
    const attributes = attributesOf(labels);
    return (value) => histogram.record(value, attributes);
  };

  /** Reports counters and gauges whenever the SDK collects. */
  report(families: Iterable<Family>, refresh: () => Promise<void>): void {
    const numbers = [...families].filter(({ entry }) => entry.type !== 'histogram');
    const observables = numbers.map(({ entry }) => this.#observable(entry));
    const callback: Parameters<Meter['addBatchObservableCallback']>[0] = async (result) => {
      await refresh();
      numbers.forEach((family, at) => {
        const observable = observables[at];
        if (observable === undefined) return; // One of each.
        for (const { labels, value } of family.numbers.values()) {
          result.observe(observable, value, attributesOf(labels));
        }
      });
    };
    this.#meter.addBatchObservableCallback(callback, observables);
    this.#stop = () => this.#meter.removeBatchObservableCallback(callback, observables);
  }

  close(): void {
    this.#stop?.();
  }

  #histogram(entry: MetricEntry) {
    const { name, meaning: description, buckets = [] } = entry;
    const advice = { explicitBucketBoundaries: [...buckets] };
    const made =
      this.#histograms.get(name) ??
      this.#meter.createHistogram(name, { description, unit: unitOf(entry), advice });
    this.#histograms.set(name, made);
    return made;
  }

  #observable(entry: MetricEntry): Observable {
    const { name, type, meaning: description } = entry;
    const options = { description, unit: unitOf(entry) };
    return type === 'counter'
      ? this.#meter.createObservableCounter(name, options)
      : this.#meter.createObservableGauge(name, options);
  }
}

/** As UCUM writes them. */
function unitOf({ unit }: MetricEntry): string {
  return unit === 'seconds' ? 's' : '1';
}

const PAIR = /(\w+)="((?:[^"\\]|\\.)*)"/g;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n' };
const read = new Map<string, Attributes>();

/** The labels of a series: its key is their text in the exposition. There are as many texts as series. */
function attributesOf(labels: string): Attributes {
  let attributes = read.get(labels);
  if (attributes === undefined) {
    attributes = Object.fromEntries(
      [...labels.matchAll(PAIR)].map(([, name = '', value = '']) => [
        name,
        value.replaceAll(/\\(.)/g, (_, escaped: string) => ESCAPES[escaped] ?? escaped),
      ]),
    );
    read.set(labels, attributes);
  }
  return attributes;
}
