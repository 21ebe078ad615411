import type { AttemptEntry } from '@redrive/core/stored';
import { ENTRIES, RESULTS } from '../catalogue/labels.ts';
import type { Registry } from '../registry/registry.ts';
import type { HistogramSeries, NumberSeries } from '../registry/series.ts';
import type { OperationResult } from './result-of.ts';

/** The series of one operation, found once: there are two records per attempt. */
export class OperationSeries {
  readonly attempts: Readonly<Record<AttemptEntry, NumberSeries>>;
  readonly results: Readonly<Record<OperationResult, NumberSeries>>;
  readonly retries: NumberSeries;
  readonly durations: HistogramSeries;

  constructor(registry: Registry, operation: string) {
    const attempts = registry.family('redrive_attempts_total');
    const results = registry.family('redrive_operations_total');
    this.attempts = byName(ENTRIES, (entry) => attempts.number(operation, entry));
    this.results = byName(RESULTS, (result) => results.number(operation, result));
    this.retries = registry.family('redrive_retries_total').number(operation);
    this.durations = registry.family('redrive_attempt_duration_seconds').histogram(operation);
  }
}

function byName<K extends string, T>(names: readonly K[], make: (name: K) => T): Record<K, T> {
  // Every name gets its entry.
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<K, T>;
}
