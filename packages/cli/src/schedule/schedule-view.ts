import { nearest } from '@redrive/core/fields';
import { type ScheduleStatus, schedules } from '@redrive/durable/control';
import { scheduleJson, scheduleState } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import {
  type Cell,
  columns,
  countCell,
  printList,
  shownText,
  timeCell,
} from '../terminal/table.ts';
import { formatAge, formatDue, formatDuration, formatTime } from '../terminal/times.ts';

const SCHEDULE_COLUMNS = columns(
  'schedule:cyan | times | handler | next:yellow | last | enqueued:right | skipped:right,optional | missed:right,optional',
);

function scheduleRow(schedule: ScheduleStatus, nowMs: number): Cell[] {
  const { name, job, last, totals } = schedule;
  return [
    name,
    timesText(schedule),
    job.handler,
    nextCell(schedule, nowMs),
    last === undefined ? '' : lastCell(last, nowMs),
    countCell(totals.enqueued ?? 0),
    // Most schedules have none.
    ...[totals.skipped, totals.missed].map((count) => (count ? countCell(count) : '')),
  ];
}

/** `5 s ago`, `5 s ago, skipped` */
function lastCell({ tickMs, result }: NonNullable<ScheduleStatus['last']>, nowMs: number): Cell {
  const age = formatAge(tickMs, nowMs);
  return timeCell(result === 'enqueued' ? age : `${age}, ${result}`, tickMs);
}

/** `every 15 min`, `30 2 * * * Europe/Berlin` */
export function timesText({ plan }: ScheduleStatus): string {
  return 'everyMs' in plan
    ? `every ${formatDuration(plan.everyMs)}`
    : `${plan.cron} ${plan.timeZone}`;
}

export function nextCell(schedule: ScheduleStatus, nowMs: number): Cell {
  const { stopped, nextTickMs } = schedule;
  if (stopped !== undefined) return stopped.key.startsWith('pause:') ? 'paused' : 'kill switch';
  if (scheduleState(schedule, nowMs) === 'no_worker') return 'no worker';
  return nextTickMs === undefined ? 'never' : timeCell(formatDue(nextTickMs, nowMs), nextTickMs);
}

/** @throws CliError with the exit code 3, and with a suggestion. */
export function findSchedule(all: readonly ScheduleStatus[], name: string): ScheduleStatus {
  const found = all.find((schedule) => schedule.name === name);
  if (found !== undefined) return found;
  const names = all.map((schedule) => schedule.name);
  const close = nearest(name, names);
  const hint = names.length === 0 ? NO_SCHEDULES : `Schedules: ${names.join(', ')}`;
  throw new CliError(
    'no_match',
    `There is no schedule ${name}.`,
    close === undefined ? hint : `Did you mean ${close}?`,
  );
}

const NO_SCHEDULES =
  'No worker has declared a schedule. Declare schedules in redrive.yaml under schedules, or with jobs.schedule() in your application, and start a worker.';

export const runScheduleList: RunCommand = async (invocation) => {
  const { nowMs, schedules: items } = await withStore(invocation, schedules);
  return printList(invocation, {
    name: 'schedules',
    items,
    document: (schedule) => scheduleJson(schedule, nowMs),
    columns: SCHEDULE_COLUMNS,
    row: (schedule) => scheduleRow(schedule, nowMs),
    none: NO_SCHEDULES,
  });
};

export const runScheduleShow: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const { nowMs, schedules: all } = await withStore(invocation, schedules);
  const schedule = findSchedule(all, args[0] ?? '');
  if (options.json) return printJson(io, scheduleJson(schedule, nowMs));
  const { job, overlap, missed, last, holder, totals, stopped, nextTickMs } = schedule;
  const next = shownText(nextCell(schedule, nowMs));
  const at = nextTickMs === undefined ? '' : `${formatTime(nextTickMs)}, `;
  const stoppedBy = stopped && ` by ${stopped.by}${stopped.why ? `: ${stopped.why}` : ''}`;
  const result = last && `${last.result}${last.jobId === undefined ? '' : `, job ${last.jobId}`}`;
  const facts: [string, string][] = [
    ['times', timesText(schedule)],
    ['next', `${at}${next}${stoppedBy ?? ''}`],
    [
      'last',
      last ? `${formatTime(last.tickMs)}, ${formatAge(last.tickMs, nowMs)}: ${result}` : 'none',
    ],
    ['job', `handler ${job.handler}, queue ${job.queue}${job.tenant && `, tenant ${job.tenant}`}`],
    ['payload', job.payload || 'none'],
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
};
