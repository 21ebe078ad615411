import type { Clock } from '@redrive/core';
import type { MetricSource } from '../catalogue/metric.ts';
import type { MetricName } from '../catalogue/metrics.ts';
import type { Registry } from '../registry/registry.ts';

/** Sets the value of a series; values of the same series are added up. */
export type SetValue = (name: MetricName, labels: readonly string[], value: number) => void;

/** A question to the store, and the series that its answer gives. */
export interface Collector {
  readonly name: MetricSource;
  ask(): Promise<(set: SetValue, registry: Registry) => void>;
}

/** The store is asked at most once in this time, however many scrapers there are. */
export const FRESH_MS = 5_000;
/** A scrape does not wait longer than this for an answer. */
export const ANSWER_MS = 1_000;

interface Asked {
  readonly atMs: number;
  /** Settles when the answer is in the registry, or has failed, or is late. */
  readonly done: Promise<void>;
}

/** Asks the store for values. The series of a question that fails are left out until it is answered again. */
export class Collectors {
  readonly #registry: Registry;
  readonly #clock: Clock;
  readonly #collectors: readonly Collector[];
  readonly #asked = new Map<Collector, Asked>();
  /** Questions without an answer: a store that hangs gets no second one. */
  readonly #open = new Set<Collector>();

  constructor(registry: Registry, clock: Clock, collectors: readonly Collector[]) {
    this.#registry = registry;
    this.#clock = clock;
    this.#collectors = collectors;
  }

  /** Resolves when all answers are fresh or given up. Never rejects. */
  async refresh(): Promise<void> {
    const nowMs = this.#clock.monotonic();
    await Promise.all(
      this.#collectors.map((collector) => {
        const before = this.#asked.get(collector);
        if (before !== undefined && nowMs - before.atMs < FRESH_MS) return before.done;
        const isOpen = this.#open.has(collector);
        if (isOpen) this.#fail(collector);
        const done = isOpen ? Promise.resolve() : this.#ask(collector);
        this.#asked.set(collector, { atMs: nowMs, done });
        return done;
      }),
    );
  }

  #ask(collector: Collector): Promise<void> {
    this.#open.add(collector);
    return new Promise((resolve) => {
      let late = false;
      const timer = this.#clock.setTimer(ANSWER_MS, () => {
        late = true;
        this.#fail(collector);
        resolve();
      });
      timer.hold(false);
      const settle = (end: () => void) => {
        this.#open.delete(collector);
        timer.cancel();
        // A late answer is out of date: the next scrape asks again.
        if (!late) end();
        resolve();
      };
      Promise.resolve()
        .then(() => collector.ask())
        .then((apply) => settle(() => this.#enter(collector, apply)))
        // The question failed, or its answer cannot be read.
        .catch(() => settle(() => this.#fail(collector)));
    });
  }

  #enter({ name }: Collector, apply: Awaited<ReturnType<Collector['ask']>>): void {
    for (const family of this.#registry.of(name)) {
      family.clear();
      family.makeKnown();
    }
    apply(this.#registry.add, this.#registry);
    const time = this.#registry.family('redrive_collector_success_timestamp_seconds').number(name);
    time.value = this.#clock.now() / 1_000;
  }

  #fail({ name }: Collector): void {
    for (const family of this.#registry.of(name)) family.clear();
    this.#registry.family('redrive_collector_failures_total').number(name).value += 1;
  }
}
