import { LABELS, type NameKind } from '../catalogue/labels.ts';
import type { MetricSource } from '../catalogue/metric.ts';
import { isOfTheStore, METRICS, type MetricName } from '../catalogue/metrics.ts';
import { Family, type OnObserve } from './family.ts';
import { KnownNames } from './known-names.ts';

/** The metrics of the catalogue whose sources exist, with their series. */
export class Registry {
  readonly known = new KnownNames();
  readonly #families = new Map<string, Family>();

  constructor(sources: ReadonlySet<MetricSource>, onObserve?: OnObserve) {
    for (const entry of METRICS) {
      if (!sources.has(entry.source)) continue;
      this.#families.set(entry.name, new Family(entry, this.known, onObserve));
    }
  }

  /** In the order of the catalogue. */
  get families(): Iterable<Family> {
    return this.#families.values();
  }

  /** The families of one source. */
  of(source: MetricSource): readonly Family[] {
    return [...this.#families.values()].filter(({ entry }) => entry.source === source);
  }

  has(name: string): name is MetricName {
    return this.#families.has(name);
  }

  /** @throws Error where the metric has no source: a mistake in this package. */
  family(name: MetricName): Family {
    const family = this.#families.get(name);
    if (family === undefined) throw new Error(`The metric ${name} is not registered`);
    return family;
  }

  /** Adds to the value of a series. */
  readonly add = (name: MetricName, labels: readonly string[], value: number): void => {
    this.family(name).number(...labels).value += value;
  };

  /** Adds names of the configuration. */
  learn(kind: NameKind, names: Iterable<string>): void {
    if (!this.known.add(kind, names)) return;
    this.makeKnown((labels) => labels.some((label) => LABELS[label]?.from === kind));
  }

  /**
   * Makes the series that are known in advance, of families with such labels. Those of a question to the store exist while
   * it is answered.
   */
  makeKnown(has: (labels: readonly string[]) => boolean = () => true): void {
    for (const family of this.#families.values()) {
      if (!isOfTheStore(family.entry) && has(family.entry.labels)) family.makeKnown();
    }
  }
}
