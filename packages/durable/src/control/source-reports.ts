import type { FullStore } from '../store/full-store.ts';
import { documentsIn, updateControl } from './update-control.ts';

/** A source without a report for this long is taken by no process. */
const GONE_AFTER_MS = 60_000;
/** An error that no process has reported for this long is forgotten. */
const ERROR_KEPT_MS = 86_400_000;

/** Kind `source` of the control documents; its key is the name of the source. */
export interface SourceReport {
  /** State in the process that reported last. `gone`: no process takes the source. */
  readonly state: string;
  readonly atMs: number;
  /** Messages that wait in the broker. Absent: the broker does not say. */
  readonly waiting?: number | undefined;
  /** Events of a direct source that succeeded without being stored: by all processes, over restarts. */
  readonly handled: number;
  /** Events that were stored as jobs. */
  readonly stored: number;
  /** Messages that were stored before. */
  readonly duplicates: number;
  /** Messages that became dead letters without running. */
  readonly deadLettered: number;
  /** The last error. It is over where a later report has none. */
  readonly lastError?: string | undefined;
  /** When a process reported it last. */
  readonly lastErrorAtMs?: number | undefined;
}

/** A report of one process: counts since its last report, and the error that explains its state. */
export type NewSourceReport = Omit<SourceReport, 'atMs' | 'lastErrorAtMs'>;

/** Reports the state of a source. The counts are added up. */
export async function reportSource(
  store: FullStore,
  source: string,
  report: NewSourceReport,
): Promise<void> {
  await updateControl(store, {
    of: 'source',
    key: source,
    next: (before, atMs) => ({
      ...report,
      atMs,
      handled: report.handled + (before?.handled ?? 0),
      stored: report.stored + (before?.stored ?? 0),
      duplicates: report.duplicates + (before?.duplicates ?? 0),
      deadLettered: report.deadLettered + (before?.deadLettered ?? 0),
      ...errorOf(report, before, atMs),
    }),
  });
}

/** Of a document without them. */
const NO_COUNTS = { handled: 0, deadLettered: 0 };

function errorOf({ lastError }: NewSourceReport, before: SourceReport | undefined, atMs: number) {
  if (lastError !== undefined) return { lastError, lastErrorAtMs: atMs };
  const { lastErrorAtMs = -Infinity } = before ?? {};
  return atMs - lastErrorAtMs < ERROR_KEPT_MS
    ? { lastError: before?.lastError, lastErrorAtMs }
    : undefined;
}

/** The sources that processes have reported, by name. */
export async function sourceReports(store: FullStore): Promise<ReadonlyMap<string, SourceReport>> {
  const controls = await store.controls();
  const found = [...documentsIn(controls, 'source')].map(([name, document]) => {
    const report = { ...NO_COUNTS, ...document };
    const isGone = controls.nowMs - report.atMs > GONE_AFTER_MS;
    return [name, isGone ? { ...report, state: 'gone' } : report] as const;
  });
  return new Map(found);
}
