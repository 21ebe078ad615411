import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { textOf } from '../action/renderer.ts';
import { nextCell, timesText } from '../schedule/schedule-view.ts';
import { printLines, printText } from '../terminal/io.ts';
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
] as const;

const NONE = 'There was no sweep yet: run "redrive sweep run --once", or start a worker.';

export const SWEEP_STATUS = textOf<AnswerOf<typeof ACTIONS.sweeps.status>>(
  ({ io, answer, nowMs }) => {
    const { schedule, retry_job_runs_total: runs = {} } = answer;
    const names = Object.keys(answer.retry_job_documents_requeued_total ?? {});
    if (schedule === null || names.length === 0) return printText(io, NONE);
    const rows = names.map((name) => [
      name,
      ...PER_COLLECTION.map((metric) => (answer[metric]?.[name] ?? 0).toLocaleString('en')),
    ]);
    const next = shownText(nextCell(schedule, nowMs));
    printLines(io, [
      ...tableLines(io.screen, COLUMNS, rows),
      '',
      `Runs: ${runs.success ?? 0} succeeded, ${runs.failure ?? 0} failed. Times: ${timesText(schedule)}, next ${next}.`,
    ]);
  },
);
