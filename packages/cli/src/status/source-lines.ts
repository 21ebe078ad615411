import type { SourceReport } from '@redrive/durable/store';
import type { Screen } from '../terminal/screen.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { formatAge, isoTime } from '../terminal/times.ts';
import type { Status } from './read-status.ts';

const COLUMNS: readonly Column[] = [
  { title: 'source', colour: 'cyan' },
  { title: 'state' },
  { title: 'waiting', align: 'right' },
  { title: 'stored', align: 'right' },
  { title: 'duplicates', align: 'right' },
  { title: 'last report' },
  { title: 'last error', optional: true, shrinks: true, colour: 'yellow' },
];

/** Sources of events as the processes that take them report them. */
export function sourceLines(screen: Screen, { sources, counts }: Status): string[] {
  if (sources.size === 0) return [];
  const rows = [...sources].map(([name, report]) => [
    name,
    report.state,
    report.waiting === undefined ? '-' : String(report.waiting),
    String(report.stored),
    String(report.duplicates),
    formatAge(report.atMs, counts.nowMs),
    report.lastError ?? '',
  ]);
  return ['', ...tableLines(screen, COLUMNS, rows)];
}

export function sourceJson([name, report]: readonly [string, SourceReport]) {
  return {
    name,
    state: report.state,
    waiting: report.waiting ?? null,
    stored: report.stored,
    duplicates: report.duplicates,
    buried: report.buried,
    last_report: isoTime(report.atMs),
    last_error: report.lastError ?? null,
  };
}
