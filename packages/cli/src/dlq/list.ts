import { systemClock } from '@redrive/core';
import {
  type BoundedCount,
  type DeadPage,
  type JobSummary,
  MAX_DEAD_COUNT,
} from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { integerOption, textOption } from '../command/option-values.ts';
import { countText } from '../store/job-counts.ts';
import { withStore } from '../store/with-store.ts';
import { shortDuration } from '../terminal/duration.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { type Io, printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { deadFilter } from './dead-filter.ts';
import { cameBack, letterSummary } from './letter-summary.ts';

/** Under this width the columns that say least give way. */
const NARROW = 80;

const DEFAULT_LIMIT = 50;

/** `redrive dlq list` */
export const runDlqList: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const nowMs = (io.clock ?? systemClock).now();
  const filter = deadFilter(options, nowMs);
  const limit = integerOption(options, 'limit', { min: 1, max: 1_000 }) ?? DEFAULT_LIMIT;
  const after = textOption(options, 'after');
  const [page, total] = await withStore(invocation, async (store) => {
    return Promise.all([
      store.deadLetters(filter, { limit, after }),
      store.countDead(filter, MAX_DEAD_COUNT),
    ]);
  });
  if (options.json) {
    printJson(io, { letters: page.jobs.map(letterSummary), total, next: page.next ?? null });
  } else {
    printPage(io, page, total, nowMs);
  }
  return EXIT.ok;
};

function printPage(io: Io, { jobs, next }: DeadPage, total: BoundedCount, nowMs: number): void {
  const count = countText(total.count, total.bounded);
  const noun = count === '1' ? 'dead letter' : 'dead letters';
  const lines =
    jobs.length > 0
      ? [...letterTable(io.screen, jobs, nowMs), '', `${jobs.length} of ${count} ${noun}`]
      : [next === undefined ? 'No dead letter matches.' : 'None on this page.'];
  printLines(io, lines);
  if (next !== undefined) io.stderr(`There may be more: --after ${printable(next)}\n`);
}

interface LetterColumn extends Column {
  readonly cell: (job: JobSummary, nowMs: number) => string;
}

function letterTable(screen: Screen, jobs: readonly JobSummary[], nowMs: number): string[] {
  const columns: LetterColumn[] = [
    { title: 'id', colour: 'cyan', cell: ({ id }) => id },
    { title: 'handler', shrinks: true, cell: ({ handler }) => handler },
    { title: 'died', align: 'right', colour: 'dim', cell: ageText },
  ];
  if (screen.columns >= NARROW) {
    columns.push({ title: 'tries', align: 'right', cell: ({ account }) => String(account.claims) });
  }
  if (jobs.some(cameBack)) {
    columns.push({
      title: 'back',
      colour: 'yellow',
      cell: (job) => (cameBack(job) ? `${job.account.generation - 1}x` : ''),
    });
  }
  columns.push({ title: 'why', shrinks: true, cell: whyText });
  const rows = jobs.map((job) => columns.map(({ cell }) => cell(job, nowMs)));
  return tableLines(screen, columns, rows);
}

function ageText({ finishedAtMs }: JobSummary, nowMs: number): string {
  const ageMs = Math.max(0, nowMs - (finishedAtMs ?? nowMs));
  return ageMs < 1_000 ? 'now' : shortDuration(ageMs < 60_000 ? roundSeconds(ageMs) : ageMs);
}

function roundSeconds(durationMs: number): number {
  return Math.round(durationMs / 1_000) * 1_000;
}

function whyText({ reason, lastError }: JobSummary): string {
  const parts = [reason, lastError?.message].filter((part) => part !== undefined);
  // A row is one line, whatever an error's message is.
  return parts.join(': ').replaceAll(/\s+/g, ' ');
}
