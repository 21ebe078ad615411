import type { SweepReport } from './sweep-documents.ts';

/**
 * The numbers of sweeps, by the name and the label of each, as the schedule's document keeps them:
 * `retry_job_documents_requeued_total{archives}`. Cumulative over all runs of all processes.
 */
export type SweepTotals = Readonly<Record<string, number>>;

/** The same, as commands print them: `retry_job_documents_requeued_total: { archives: 3 }`. */
export type SweepNumbers = Readonly<Record<string, number | Readonly<Record<string, number>>>>;

/** The result of one collection in a run. */
export interface RunCollection {
  readonly report: SweepReport;
  /** The error and its code, where the sweep failed. */
  readonly error?: unknown;
  readonly errorType?: string | undefined;
  /** At most `MOST_COUNTED`. Absent: they could not be counted. */
  readonly stuck?: number | undefined;
  readonly failed?: number | undefined;
  /** The last attempt at the oldest stuck document, or its insertion. Absent: none is stuck, or it is not known. */
  readonly oldestStuckMs?: number | undefined;
}

/** Documents are counted up to here. */
export const MOST_COUNTED = 100_000;
const BUCKETS = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900];
const OLDEST = 'redrive_oldest_stuck_document_timestamp_seconds';
const key = (name: string, label: string) => `retry_job_${name}{${label}}`;

export function isFailure(collections: ReadonlyMap<string, RunCollection>): boolean {
  return [...collections.values()].some(({ errorType }) => errorType !== undefined);
}

/**
 * The totals after one more run. Every number of every collection is there from the first run on.
 *
 * @param nowMs by the clock of the store.
 * @param known the configured collections: the gauges of others are removed. Default: all stay.
 */
export function totalsAfter(
  totals: SweepTotals,
  collections: ReadonlyMap<string, RunCollection>,
  seconds: number,
  nowMs: number,
  known?: readonly string[],
): SweepTotals {
  const isStale = (name: string) => {
    const label = /_(?:stuck|failed)_document.*?\{(.*)\}$/.exec(name)?.[1];
    return label !== undefined && known?.includes(label) === false;
  };
  const current = Object.entries(totals).filter(([name]) => !isStale(name));
  const next: Record<string, number> = Object.fromEntries(current);
  const add = (name: string, label: string, by: number) => {
    next[key(name, label)] = (next[key(name, label)] ?? 0) + by;
  };
  for (const [name, { report, errorType, stuck, failed, oldestStuckMs }] of collections) {
    add('documents_requeued_total', name, report.requeued);
    add('documents_skipped_backoff_total', name, report.skippedBackoff);
    add('documents_max_retries_exceeded_total', name, report.maxRetriesExceeded);
    add('errors_total', 'invalid_document', report.invalid);
    if (report.tooLarge) add('errors_total', 'message_too_large', report.tooLarge);
    if (errorType !== undefined) add('errors_total', errorType, 1);
    if (stuck !== undefined) next[key('stuck_documents', name)] = stuck;
    if (failed !== undefined) next[key('failed_documents', name)] = failed;
    if (stuck !== undefined) delete next[`${OLDEST}{${name}}`];
    if (oldestStuckMs !== undefined) next[`${OLDEST}{${name}}`] = oldestStuckMs / 1_000;
  }
  if (!isFailure(collections)) next.retry_job_last_success_timestamp_seconds = nowMs / 1_000;
  add('runs_total', 'success', isFailure(collections) ? 0 : 1);
  add('runs_total', 'failure', isFailure(collections) ? 1 : 0);
  for (const le of BUCKETS) add('duration_seconds_bucket', String(le), seconds <= le ? 1 : 0);
  add('duration_seconds_bucket', '+Inf', 1);
  next.retry_job_duration_seconds_sum = (next.retry_job_duration_seconds_sum ?? 0) + seconds;
  next.retry_job_duration_seconds_count = (next.retry_job_duration_seconds_count ?? 0) + 1;
  return next;
}

/** The numbers in the totals of a schedule, which has others of its own. */
export function numbersIn(totals: SweepTotals): SweepNumbers {
  const numbers: Record<string, number | Record<string, number>> = {};
  for (const [name, value] of Object.entries(totals)) {
    const [, metric, label] = /^(retry_job_\w+)(?:\{(.*)\})?$/.exec(name) ?? [];
    if (metric === undefined) continue;
    if (label === undefined) numbers[metric] = value;
    else numbers[metric] = { ...(numbers[metric] as Record<string, number>), [label]: value };
  }
  return numbers;
}
