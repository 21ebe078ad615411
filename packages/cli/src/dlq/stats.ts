import { countText } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { textOf } from '../action/renderer.ts';
import { printLines } from '../terminal/io.ts';
import { wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { formatAge } from '../terminal/times.ts';
import { groupLines } from './groups.ts';

type Stats = AnswerOf<typeof ACTIONS.deadLetters.stats>;

export const DEAD_STATS = textOf<Stats>(({ io, answer, nowMs }) =>
  printLines(io, statsLines(io.screen, answer, nowMs)),
);

const MAX_ROWS = 10;
const STEPS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ASCII_STEPS = ['_', '.', ':', '-', '=', '+', '*', '#'];

/** The figures about dead letters, for people. */
function statsLines(screen: Screen, stats: Stats, nowMs: number): string[] {
  const { total, tallied, causes } = stats;
  if (total.count === 0) return ['No dead letter matches.'];
  const count = countText(total.count, total.bounded);
  const part =
    tallied < total.count || total.bounded ? ` of the newest ${tallied.toLocaleString('en')}` : '';
  return [
    screen.paint('bold', `${count} dead ${count === '1' ? 'letter' : 'letters'}`),
    ...wrapWords(agesText(stats, nowMs), screen.columns),
    '',
    ...seriesLines(screen, 'per hour, last 24 h', stats.per_hour),
    ...seriesLines(screen, 'per day, last 14 d', stats.per_day),
    '',
    ...countLines(
      screen,
      `reason${part}`,
      stats.reasons.map(({ reason, count }) => [count, reason]),
    ),
    '',
    ...countLines(
      screen,
      `handler${part}`,
      stats.handlers.map(({ handler, count }) => [count, handler]),
    ),
    ...(causes.length === 0
      ? []
      : [
          '',
          screen.paint('dim', 'causes, newest death first'),
          ...groupLines(screen, causes, nowMs),
        ]),
  ];
}

function agesText({ oldest_died_at, newest_died_at, came_back }: Stats, nowMs: number): string {
  const age = (at: string | null) => formatAge(at === null ? nowMs : Date.parse(at), nowMs);
  const [last, first] = [age(newest_died_at), age(oldest_died_at)];
  const back =
    came_back === 0
      ? 'None of them was requeued before.'
      : `${came_back.toLocaleString('en')} died again after a requeue.`;
  return `The last died ${last}, the oldest ${first}. ${back}`;
}

function seriesLines(screen: Screen, name: string, buckets: Stats['per_hour']): string[] {
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

function countLines(
  screen: Screen,
  title: string,
  counts: readonly (readonly [count: number, name: string])[],
): string[] {
  const columns: readonly Column[] = [
    { title: 'count', align: 'right' },
    { title, colour: 'cyan' },
  ];
  const rows = counts.map(([count, name]) => [count.toLocaleString('en'), name]);
  // A pipe gets every row.
  const shown = screen.isTerminal ? rows.slice(0, MAX_ROWS) : rows;
  const rest = rows.length - shown.length;
  return [
    ...tableLines(screen, columns, shown),
    ...(rest > 0 ? [`and ${rest} more; --json has all`] : []),
  ];
}
