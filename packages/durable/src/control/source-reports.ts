import type { FullStore } from '../store/full-store.ts';
import { documentsIn } from './documents-in.ts';
import { updateControl } from './update-control.ts';

/** A source without a report for this long is taken by no process. */
const GONE_AFTER_MS = 60_000;

/** Kind `source` of the control documents; its key is the name of the source. */
export interface SourceReport {
  /** State in the process that reported last. `gone`: no process takes the source. */
  readonly state: string;
  readonly atMs: number;
  /** Messages that wait in the broker. Absent: the broker does not say. */
  readonly waiting?: number | undefined;
  /** Events that were stored as jobs: by all processes, over restarts. */
  readonly stored: number;
  /** Messages that were stored before. */
  readonly duplicates: number;
  /** Messages that became dead letters without running. */
  readonly buried: number;
  readonly lastError?: string | undefined;
}

/** Reports the state of a source. Counts are those since the last report: they are added up. */
export async function reportSource(
  store: FullStore,
  source: string,
  report: Omit<SourceReport, 'atMs'>,
): Promise<void> {
  await updateControl(store, {
    of: 'source',
    key: source,
    next: (before, atMs) => ({
      ...report,
      atMs,
      stored: report.stored + (before?.stored ?? 0),
      duplicates: report.duplicates + (before?.duplicates ?? 0),
      buried: report.buried + (before?.buried ?? 0),
      lastError: report.lastError ?? before?.lastError,
    }),
  });
}

/** The sources that processes have reported, by name. */
export async function sourceReports(store: FullStore): Promise<ReadonlyMap<string, SourceReport>> {
  const controls = await store.controls();
  const found = [...documentsIn(controls, 'source')].map(([name, report]) => {
    const isGone = controls.nowMs - report.atMs > GONE_AFTER_MS;
    return [name, isGone ? { ...report, state: 'gone' } : report] as const;
  });
  return new Map(found);
}
