import type { JobState } from '@redrive/durable';
import { type CountsByState, countText, JOB_STATES } from '@redrive/durable/store';
import type { Screen } from '../terminal/screen.ts';
import { type Column, columns, tableLines } from '../terminal/table.ts';
import { formatAge } from '../terminal/times.ts';
import { workerStateText } from '../workers/worker-view.ts';
import type { Status } from './status.ts';

/** Rows of the table; `--json` has all. */
const MAX_ROWS = 50;

/** A row for each queue and handler, and the sum of all. */
export function countLines(screen: Screen, status: Status, nowMs: number): string[] {
  const { handlers: rows, states: all, bounded, oldest_ready_at: oldest } = status;
  if (rows.length === 0) return [];
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
    ...(oldest === null
      ? []
      : [`The oldest ready job was submitted ${formatAge(Date.parse(oldest), nowMs)}.`]),
  ];
}

const SOURCE_COLUMNS = columns(
  'source:cyan | state | waiting:right | handled:right,optional | stored:right | duplicates:right | last report | last error:optional,shrinks,yellow',
);

/** Sources of events as the processes that take them report them. */
export function sourceLines(screen: Screen, { sources }: Status, nowMs: number): string[] {
  if (sources.length === 0) return [];
  const rows = sources.map((source) => [
    source.name,
    source.state,
    source.waiting === null ? '-' : String(source.waiting),
    source.handled === 0 ? '' : String(source.handled),
    String(source.stored),
    String(source.duplicates),
    formatAge(Date.parse(source.last_report ?? ''), nowMs),
    errorText(source, nowMs),
  ]);
  return ['', ...tableLines(screen, SOURCE_COLUMNS, rows)];
}

/** An error that is over has its time. */
function errorText(source: Status['sources'][number], nowMs: number): string {
  const { last_error, last_error_at: at, last_report } = source;
  const atMs = Date.parse(at ?? '');
  const isOver = atMs < Date.parse(last_report ?? '');
  return isOver ? `${formatAge(atMs, nowMs)}: ${last_error ?? ''}` : (last_error ?? '');
}

const WORKER_COLUMNS = columns(
  'worker:cyan | running:right | last report | :optional,yellow | handlers:shrinks',
);

/** Rows of the table; `redrive workers list` has all. */
const MAX_WORKERS = 10;

/** Workers that are alive, and ready jobs that none of them takes. */
export function workerLines(screen: Screen, status: Status, nowMs: number): string[] {
  const { workers, live_workers: count, live_workers_bounded: bounded, without_worker } = status;
  const { scheduled, ready, parked, leased } = status.states;
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
    const { name, running, concurrency, last_seen_at, handlers, more_handlers: more } = worker;
    const state = workerStateText(worker, nowMs);
    return [
      name,
      `${running} of ${concurrency}`,
      formatAge(Date.parse(last_seen_at ?? ''), nowMs),
      state === 'working' ? '' : state,
      handlers.join(', ') + (more > 0 ? ` and ${more} more` : ''),
    ];
  });
  const rest = count - rows.length;
  const more = `and ${rest}${bounded ? '+' : ''} more: redrive workers list`;
  const missing = without_worker.map(({ handler }) => handler);
  return [
    '',
    ...tableLines(screen, WORKER_COLUMNS, rows),
    ...(rest > 0 ? [more] : []),
    ...(missing.length === 0
      ? []
      : [`No worker has ${missing.join(', ')}: start one with its module or command.`]),
  ];
}
