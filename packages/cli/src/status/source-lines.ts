import type { SourceReport, Status } from '@redrive/durable/store';
import type { Screen } from '../terminal/screen.ts';
import { columns, tableLines } from '../terminal/table.ts';
import { formatAge } from '../terminal/times.ts';

const COLUMNS = columns(
  'source:cyan | state | waiting:right | handled:right,optional | stored:right | duplicates:right | last report | last error:optional,shrinks,yellow',
);

/** Sources of events as the processes that take them report them. */
export function sourceLines(screen: Screen, { sources, counts }: Status): string[] {
  if (sources.size === 0) return [];
  const rows = [...sources].map(([name, report]) => [
    name,
    report.state,
    report.waiting === undefined ? '-' : String(report.waiting),
    report.handled === 0 ? '' : String(report.handled),
    String(report.stored),
    String(report.duplicates),
    formatAge(report.atMs, counts.nowMs),
    errorText(report, counts.nowMs),
  ]);
  return ['', ...tableLines(screen, COLUMNS, rows)];
}

/** An error that is over has its time. */
function errorText({ lastError = '', lastErrorAtMs, atMs }: SourceReport, nowMs: number): string {
  const isOver = lastErrorAtMs !== undefined && lastErrorAtMs < atMs;
  return isOver ? `${formatAge(lastErrorAtMs, nowMs)}: ${lastError}` : lastError;
}
