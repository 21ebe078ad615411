import { systemClock } from '@redrive/core';
import type { JobSummary } from '@redrive/durable';
import { countText, diedAgain, letterSummary, MAX_DEAD_COUNT } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { pageOptions } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { type Cell, columns, printList, timeCell } from '../terminal/table.ts';
import { shortDuration } from '../terminal/times.ts';
import { deadFilter } from './dead-filter.ts';

const COLUMNS = columns(
  'id:cyan | handler | died:right,dim | tries:right | back:yellow,optional | why:shrinks',
);

export const runDlqList: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const nowMs = (io.clock ?? systemClock).now();
  const filter = deadFilter(options, nowMs);
  const { limit, after } = pageOptions(options);
  const [page, total] = await withStore(invocation, async (store) => {
    return Promise.all([
      store.deadLetters(filter, { limit, after }),
      store.countDead(filter, MAX_DEAD_COUNT),
    ]);
  });
  const count = countText(total.count, total.bounded);
  const noun = count === '1' ? 'dead letter' : 'dead letters';
  return printList(invocation, {
    name: 'letters',
    items: page.jobs,
    document: letterSummary,
    columns: COLUMNS,
    row: (job) => rowOf(job, nowMs),
    none: page.next === undefined ? 'No dead letter matches.' : 'None on this page.',
    next: page.next,
    beside: { total },
    below: page.jobs.length === 0 ? [] : ['', `${page.jobs.length} of ${count} ${noun}`],
  });
};

function rowOf(job: JobSummary, nowMs: number): Cell[] {
  const again = diedAgain(job) ? job.account.generation - 1 : 0;
  return [
    job.id,
    job.handler,
    diedCell(job, nowMs),
    String(job.account.claims),
    { shown: again === 0 ? '' : `${again}x`, exact: String(again) },
    whyText(job),
  ];
}

function diedCell({ finishedAtMs }: JobSummary, nowMs: number): Cell {
  if (finishedAtMs === undefined) return '';
  const ageMs = Math.max(0, nowMs - finishedAtMs);
  const age = ageMs < 1_000 ? 'now' : shortDuration(ageMs < 60_000 ? roundSeconds(ageMs) : ageMs);
  return timeCell(age, finishedAtMs);
}

function roundSeconds(durationMs: number): number {
  return Math.round(durationMs / 1_000) * 1_000;
}

function whyText({ reason, lastError }: JobSummary): string {
  const parts = [reason, lastError?.message].filter((part) => part !== undefined);
  // A row is one line, whatever an error's message is.
  return parts.join(': ').replaceAll(/\s+/g, ' ');
}
