import { DOCUMENT_QUEUE } from './document-command.ts';
import type { SweepReport } from './sweep-documents.ts';

/** The schedule of sweeps and its handler: one run sweeps all collections. Its document keeps the numbers. */
export const SWEEP_HANDLER = 'sweeps.run';

/** The schedule of sweeps. The first sweep begins with the first worker, unless another process has swept already. */
export function sweepSchedule(intervalMs: number) {
  const job = { handler: SWEEP_HANDLER, queue: DOCUMENT_QUEUE } as const;
  return { ...job, everyMs: intervalMs, startNow: true };
}

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
  /** Documents whose event waits to be sent. Absent: they could not be counted. */
  readonly waiting?: number | undefined;
  /** How many times as long the back-off is. */
  readonly factor?: number | undefined;
  /** When a sweep first found the document that has been stuck for the longest time. Absent: none is stuck. */
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
    const label =
      /_(?:stuck_documents|failed_documents|stuck_document|documents_waiting).*?\{(.*)\}$/.exec(
        name,
      )?.[1];
    return label !== undefined && known?.includes(label) === false;
  };
  const current = Object.entries(totals).filter(([name]) => !isStale(name));
  const next: Record<string, number> = Object.fromEntries(current);
  const add = (name: string, label: string, by: number) => {
    next[key(name, label)] = (next[key(name, label)] ?? 0) + by;
  };
  for (const [name, swept] of collections) {
    const { report, errorType, stuck, failed, waiting, oldestStuckMs } = swept;
    // The jobs count the events that they send.
    add('documents_requeued_total', name, 0);
    add('documents_skipped_backoff_total', name, report.skippedBackoff);
    add('documents_max_retries_exceeded_total', name, report.maxRetriesExceeded);
    add('errors_total', 'invalid_document', report.invalid);
    if (report.tooLarge) add('errors_total', 'message_too_large', report.tooLarge);
    if (errorType !== undefined) add('errors_total', errorType, 1);
    if (stuck !== undefined) next[key('stuck_documents', name)] = stuck;
    if (failed !== undefined) next[key('failed_documents', name)] = failed;
    if (waiting !== undefined) next[key('documents_waiting', name)] = waiting;
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

/** The totals after events were sent. @param counts by collection. */
export function totalsWithSent(
  totals: SweepTotals,
  counts: ReadonlyMap<string, number>,
): SweepTotals {
  const sent = [...counts].map(([name, count]) => {
    const own = key('documents_requeued_total', name);
    return [own, (totals[own] ?? 0) + count] as const;
  });
  return { ...totals, ...Object.fromEntries(sent) };
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
