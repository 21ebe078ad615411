import { schedules } from '@redrive/durable/control';
import type { RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printList } from '../terminal/print-list.ts';
import { printable } from '../terminal/printable.ts';
import { shownText } from '../terminal/table.ts';
import { formatAge, formatTime } from '../terminal/times.ts';
import {
  findSchedule,
  NO_SCHEDULES,
  nextCell,
  SCHEDULE_COLUMNS,
  scheduleJson,
  scheduleRow,
  timesText,
} from './schedule-view.ts';

/** `redrive schedules list` */
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

/** `redrive schedules show` */
export const runScheduleShow: RunCommand = async (invocation) => {
  const { io, args, options } = invocation;
  const { nowMs, schedules: all } = await withStore(invocation, schedules);
  const schedule = findSchedule(all, args[0] ?? '');
  if (options.json) {
    printJson(io, scheduleJson(schedule, nowMs));
    return;
  }
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
