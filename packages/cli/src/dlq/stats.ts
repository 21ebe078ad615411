import { systemClock } from '@redrive/core';
import {
  type Bucket,
  countText,
  type DeadStats,
  readStats,
  statsDocument,
} from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { withStore } from '../store/with-store.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { formatAge } from '../terminal/times.ts';
import { deadFilter } from './dead-filter.ts';
import { groupLines } from './groups.ts';

export const runDlqStats: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const nowMs = (io.clock ?? systemClock).now();
  const filter = deadFilter(options, nowMs);
  const stats = await withStore(invocation, (store) => readStats(store, filter, nowMs));
  if (options.json) printJson(io, statsDocument(stats));
  else printLines(io, statsLines(io.screen, stats, nowMs));
};

const MAX_ROWS = 10;
const STEPS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ASCII_STEPS = ['_', '.', ':', '-', '=', '+', '*', '#'];

/** The figures about dead letters, for people. */
function statsLines(screen: Screen, stats: DeadStats, nowMs: number): string[] {
  const { total, tallied, causes } = stats;
  if (total.count === 0) return ['No dead letter matches.'];
  const count = countText(total.count, total.bounded);
  const part =
    tallied < total.count || total.bounded ? ` of the newest ${tallied.toLocaleString('en')}` : '';
  return [
    screen.paint('bold', `${count} dead ${count === '1' ? 'letter' : 'letters'}`),
    ...wrapWords(agesText(stats, nowMs), screen.columns),
    '',
    ...seriesLines(screen, 'per hour, last 24 h', stats.hours),
    ...seriesLines(screen, 'per day, last 14 d', stats.days),
    '',
    ...countLines(screen, `reason${part}`, stats.reasons),
    '',
    ...countLines(screen, `handler${part}`, stats.handlers),
    ...(causes.length === 0
      ? []
      : [
          '',
          screen.paint('dim', 'causes, newest death first'),
          ...groupLines(screen, causes, nowMs),
        ]),
  ];
}

function agesText({ oldest, newest, cameBack }: DeadStats, nowMs: number): string {
  const last = formatAge(newest?.finishedAtMs ?? nowMs, nowMs);
  const first = formatAge(oldest?.finishedAtMs ?? nowMs, nowMs);
  const back =
    cameBack === 0
      ? 'None of them was requeued before.'
      : `${cameBack.toLocaleString('en')} died again after a requeue.`;
  return `The last died ${last}, the oldest ${first}. ${back}`;
}

function seriesLines(screen: Screen, name: string, buckets: readonly Bucket[]): string[] {
  const most = Math.max(1, ...buckets.map(({ count }) => count));
  const steps = screen.unicode ? STEPS : ASCII_STEPS;
  const bars = buckets.map(({ count }) => {
    if (count === 0) return screen.unicode ? '·' : ' ';
    return steps[Math.ceil((count / most) * steps.length) - 1] ?? '';
  });
  const sum = buckets.reduce((all, { count }) => all + count, 0);
  const bounded = buckets.some((bucket) => bucket.bounded);
  return [
    `${screen.paint('dim', name.padEnd(19))}  ${screen.paint('red', bars.join(''))}  ${countText(sum, bounded)}`,
  ];
}

function countLines(screen: Screen, title: string, counts: ReadonlyMap<string, number>): string[] {
  const columns: readonly Column[] = [
    { title: 'count', align: 'right' },
    { title, colour: 'cyan' },
  ];
  const rows = [...counts].map(([key, count]) => [count.toLocaleString('en'), key]);
  // A pipe gets every row.
  const shown = screen.isTerminal ? rows.slice(0, MAX_ROWS) : rows;
  const rest = rows.length - shown.length;
  return [
    ...tableLines(screen, columns, shown),
    ...(rest > 0 ? [`and ${rest} more; --json has all`] : []),
  ];
}
