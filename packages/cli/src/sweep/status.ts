import { schedules } from '@redrive/durable/control';
import { SWEEP_HANDLER } from '@redrive/durable/documents';
import { numbersIn } from '@redrive/durable/store';
import { scheduleAnswer } from '@redrive/operate/texts';
import type { RunCommand } from '../command/command-spec.ts';
import { nextCell, timesText } from '../schedule/schedule-view.ts';
import { withStore } from '../store/with-store.ts';
import { printJson, printLines, printText } from '../terminal/io.ts';
import { columns, shownText, tableLines } from '../terminal/table.ts';

const COLUMNS = columns(
  'collection:cyan | stuck:right | failed:right | sent:right | waiting:right | in back-off:right | newly failed:right',
);
const PER_COLLECTION = [
  'retry_job_stuck_documents',
  'retry_job_failed_documents',
  'retry_job_documents_requeued_total',
  'retry_job_documents_waiting',
  'retry_job_documents_skipped_backoff_total',
  'retry_job_documents_max_retries_exceeded_total',
];

export const runSweepStatus: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const { nowMs, schedules: all } = await withStore(invocation, schedules);
  const schedule = all.find(({ name }) => name === SWEEP_HANDLER);
  const numbers = numbersIn(schedule?.totals ?? {});
  const requeued = labels(numbers.retry_job_documents_requeued_total);
  if (options.json) return printJson(io, numbers);
  if (schedule === undefined || Object.keys(requeued).length === 0)
    return printText(
      io,
      'There was no sweep yet: run "redrive sweep run --once", or start a worker.',
    );
  const rows = Object.keys(requeued).map((name) => [
    name,
    ...PER_COLLECTION.map((metric) => (labels(numbers[metric])[name] ?? 0).toLocaleString('en')),
  ]);
  const { success = 0, failure = 0 } = labels(numbers.retry_job_runs_total);
  const answer = scheduleAnswer(schedule, nowMs);
  const next = shownText(nextCell(answer, nowMs));
  printLines(io, [
    ...tableLines(io.screen, COLUMNS, rows),
    '',
    `Runs: ${success} succeeded, ${failure} failed. Times: ${timesText(answer)}, next ${next}.`,
  ]);
};

function labels(value: unknown): Readonly<Record<string, number>> {
  // `numbersIn` makes objects of numbers.
  return typeof value === 'object' && value !== null ? (value as Record<string, number>) : {};
}
