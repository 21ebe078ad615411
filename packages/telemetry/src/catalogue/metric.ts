import type { Words } from './words.ts';

/**
 * Where the values of a metric come from. `records`: what `events` gets. `notices`: what `onNotice` gets. `counts`,
 * `dead_letters`, `parks`, `controls` and `audit`: a question to the store. `configuration`: `configReloaded`.
 * A metric whose source is absent is not registered.
 */
export type MetricSource =
  Words<'records notices counts dead_letters parks controls audit configuration process telemetry'>;

/** A metric as the catalogue describes it. */
export interface MetricEntry {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** `# HELP` of the exposition. */
  readonly meaning: string;
  /** Keys of the catalogue's labels. */
  readonly labels: readonly string[];
  readonly source: MetricSource;
  /** The name ends with it. Absent: a number without a unit. */
  readonly unit?: 'seconds' | undefined;
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[] | undefined;
  /** Whether known series are 0 until something happens: not for values that may be unknown, such as times. */
  readonly zero: boolean;
}

/** A line of the log of a worker. docs/reference/worker-log.md has the fields of each. */
export interface LogEventEntry {
  readonly name: string;
  /** The graver one, of a line that has two. */
  readonly level: 'info' | 'warn' | 'error';
  readonly meaning: string;
}
