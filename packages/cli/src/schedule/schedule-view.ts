import type { ACTIONS, AnswerOf } from '@redrive/operate';
import type { ScheduleAnswer as Schedule } from '@redrive/operate/texts';
import { listOf, textOf } from '../action/renderer.ts';
import { printLines, printText } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import { type Cell, columns, countCell, shownText, timeCell } from '../terminal/table.ts';
import { formatAge, formatDue, formatDuration, formatTime } from '../terminal/times.ts';

type Schedules = AnswerOf<typeof ACTIONS.schedules.list>;
type Shown = AnswerOf<typeof ACTIONS.schedules.show>;
type Run = AnswerOf<typeof ACTIONS.schedules.run>;
type Removed = AnswerOf<typeof ACTIONS.schedules.remove>;

const SCHEDULE_COLUMNS = columns(
  'schedule:cyan | times | handler | next:yellow | last | enqueued:right | skipped:right,optional | missed:right,optional',
);

const NO_SCHEDULES =
  'No worker has declared a schedule. Declare schedules in redrive.yaml under schedules, or with jobs.schedule() in your application, and start a worker.';

export const SCHEDULE_LIST = listOf<Schedules, Schedule>(({ nowMs }) => ({
  name: 'schedules',
  columns: SCHEDULE_COLUMNS,
  none: NO_SCHEDULES,
  row: (schedule) => {
    const { name, handler, totals } = schedule;
    return [
      name,
      timesText(schedule),
      handler,
      nextCell(schedule, nowMs),
      lastCell(schedule, nowMs),
      countCell(totals.enqueued ?? 0),
      // Most schedules have none.
      ...[totals.skipped, totals.missed].map((count) => (count ? countCell(count) : '')),
    ];
  },
}));

/** `5 s ago`, `5 s ago, skipped` */
function lastCell({ last_tick: at, last_result: result }: Schedule, nowMs: number): Cell {
  if (at === null) return '';
  const age = formatAge(Date.parse(at), nowMs);
  return timeCell(result === 'enqueued' ? age : `${age}, ${result}`, Date.parse(at));
}

/** `every 15 min`, `30 2 * * * Europe/Berlin` */
export function timesText({
  every_ms,
  cron,
  time_zone,
}: Pick<Schedule, 'every_ms' | 'cron' | 'time_zone'>): string {
  return every_ms === null ? `${cron} ${time_zone}` : `every ${formatDuration(every_ms)}`;
}

export function nextCell(
  { state, stopped_as, next }: Pick<Schedule, 'state' | 'stopped_as' | 'next'>,
  nowMs: number,
): Cell {
  if (stopped_as !== null) return stopped_as === 'pause' ? 'paused' : 'kill switch';
  if (state === 'no_worker') return 'no worker';
  return next === null ? 'never' : timeCell(formatDue(Date.parse(next), nowMs), Date.parse(next));
}

export const SCHEDULE_SHOW = textOf<Shown>(({ io, answer: schedule, nowMs }) => {
  const { handler, queue, tenant, payload, overlap, missed, holder, totals } = schedule;
  const { next, last_tick, last_result, last_job, stopped_by, stopped_why } = schedule;
  const at = next === null ? '' : `${formatTime(Date.parse(next))}, `;
  const stopped =
    stopped_by === null ? '' : ` by ${stopped_by}${stopped_why ? `: ${stopped_why}` : ''}`;
  const result = `${last_result}${last_job === null ? '' : `, job ${last_job}`}`;
  const lastMs = Date.parse(last_tick ?? '');
  const facts: [string, string][] = [
    ['times', timesText(schedule)],
    ['next', `${at}${shownText(nextCell(schedule, nowMs))}${stopped}`],
    [
      'last',
      last_tick === null ? 'none' : `${formatTime(lastMs)}, ${formatAge(lastMs, nowMs)}: ${result}`,
    ],
    ['job', `handler ${handler}, queue ${queue}${tenant === null ? '' : `, tenant ${tenant}`}`],
    ['payload', payload ?? 'none'],
    ['overlap', overlap],
    ['missed', missed],
    ['holder', holder],
    [
      'totals',
      Object.entries(totals)
        .map(([name, count]) => `${count} ${name}`)
        .join(', '),
    ],
  ];
  printLines(io, [
    io.screen.paint('bold', printable(schedule.name)),
    ...facts.map(
      ([name, text]) => `  ${io.screen.paint('dim', name.padEnd(8))}  ${printable(text)}`,
    ),
  ]);
});

export const SCHEDULE_RUN = textOf<Run>(({ io, answer: { name, job } }) =>
  printText(io, job === null ? `A job of ${name} would be enqueued.` : `Job ${job} is enqueued.`),
);

export const SCHEDULE_REMOVE = textOf<Removed>(({ io, answer: { name, removed } }) =>
  printText(io, `The schedule ${name} ${removed ? 'is' : 'would be'} removed.`),
);
