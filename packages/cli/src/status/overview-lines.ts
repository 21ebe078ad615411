import type { JobState } from '@redrive/durable';
import {
  type Counts,
  type CountsByState,
  countStates,
  countText,
  handlersOf,
  JOB_STATES,
  missingWorkers,
  type SourceReport,
  type Status,
} from '@redrive/durable/store';
import type { Screen } from '../terminal/screen.ts';
import { type Column, columns, tableLines } from '../terminal/table.ts';
import { formatAge } from '../terminal/times.ts';
import { workerStateText } from '../workers/worker-view.ts';

/** Rows of the table; `--json` has all. */
const MAX_ROWS = 50;

/** A row for each queue and handler, and the sum of all. */
export function countLines(screen: Screen, counts: Counts): string[] {
  const rows = handlersOf(counts);
  if (rows.length === 0) return [];
  const { bounded, oldestReadyAtMs, nowMs } = counts;
  const all = countStates(counts);
  const shown = JOB_STATES.filter((state) => state !== 'purged' || all.purged > 0);
  const columns: readonly Column[] = [
    { title: 'queue', colour: 'cyan' },
    { title: 'handler', colour: 'cyan' },
    ...shown.map((title): Column => {
      const red = (cell: string) => (cell === '0' ? undefined : ('red' as const));
      return { title, align: 'right', ...(title === 'dead' && { colour: red }) };
    }),
  ];
  const cells = (states: CountsByState, cut: readonly JobState[]) =>
    shown.map((state) => countText(states[state], cut.includes(state)));
  const cut = JOB_STATES.filter((state) => rows.some((row) => row.bounded.includes(state)));
  const first = rows.slice(0, MAX_ROWS);
  return [
    '',
    ...tableLines(screen, columns, [
      ...first.map((row) => [row.queue, row.handler, ...cells(row.states, row.bounded)]),
      ...(rows.length === 1 ? [] : [['all', '', ...cells(all, cut)]]),
    ]),
    ...(rows.length > MAX_ROWS ? [`and ${rows.length - MAX_ROWS} more; --json has all`] : []),
    ...(bounded
      ? ['Counting stopped at a limit: there are more jobs than the numbers with a + say.']
      : []),
    ...(oldestReadyAtMs === undefined
      ? []
      : [`The oldest ready job was submitted ${formatAge(oldestReadyAtMs, nowMs)}.`]),
  ];
}

const SOURCE_COLUMNS = columns(
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
  return ['', ...tableLines(screen, SOURCE_COLUMNS, rows)];
}

/** An error that is over has its time. */
function errorText({ lastError = '', lastErrorAtMs, atMs }: SourceReport, nowMs: number): string {
  const isOver = lastErrorAtMs !== undefined && lastErrorAtMs < atMs;
  return isOver ? `${formatAge(lastErrorAtMs, nowMs)}: ${lastError}` : lastError;
}

const WORKER_COLUMNS = columns(
  'worker:cyan | running:right | last report | :optional,yellow | handlers:shrinks',
);

/** Rows of the table; `redrive workers list` has all. */
const MAX_WORKERS = 10;

/** Workers that are alive, and ready jobs that none of them takes. */
export function workerLines(screen: Screen, status: Status): string[] {
  const { counts } = status;
  const { workers, bounded } = status.live;
  const { scheduled, ready, parked, leased } = countStates(counts);
  if (workers.length === 0) {
    if (scheduled + ready + parked + leased === 0) return [];
    const command = screen.paint('cyan', 'redrive start');
    return [
      '',
      `No worker is running. To start one: ${command},`,
      'or jobsOn(…).start() in your application.',
    ];
  }
  const rows = workers.slice(0, MAX_WORKERS).map((worker) => {
    const { name, running, concurrency, seenAtMs, handlers, moreHandlers } = worker;
    const state = workerStateText(worker, counts.nowMs);
    return [
      name,
      `${running} of ${concurrency}`,
      formatAge(seenAtMs, counts.nowMs),
      state === 'working' ? '' : state,
      handlers.join(', ') + (moreHandlers > 0 ? ` and ${moreHandlers} more` : ''),
    ];
  });
  const rest = workers.length - rows.length;
  const more = `and ${rest}${bounded ? '+' : ''} more: redrive workers list`;
  const missing = missingWorkers(status).map(({ handler }) => handler);
  return [
    '',
    ...tableLines(screen, WORKER_COLUMNS, rows),
    ...(rest > 0 ? [more] : []),
    ...(missing.length === 0
      ? []
      : [`No worker has ${missing.join(', ')}: start one with its module or command.`]),
  ];
}
