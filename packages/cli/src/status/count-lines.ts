import { type Counts, handlersOf, JOB_STATES } from '@redrive/durable/store';
import { type CountsByState, countStates, countText } from '../store/job-counts.ts';
import type { Screen } from '../terminal/screen.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { formatAge } from '../terminal/times.ts';

/** Rows of the table; `--json` has all. */
const MAX_ROWS = 50;

/** A row for each queue and handler, and the sum of all. */
export function countLines(screen: Screen, counts: Counts): string[] {
  const rows = handlersOf(counts);
  if (rows.length === 0) return [];
  const { bounded, oldestReadyAtMs, nowMs } = counts;
  const all = countStates(counts);
  const shown = JOB_STATES.filter((state) => state !== 'purged' || all.purged > 0);
  const columns: readonly Column[] = [
    { title: 'queue', colour: 'cyan' },
    { title: 'handler', colour: 'cyan' },
    ...shown.map((title): Column => {
      const red = (cell: string) => (cell === '0' ? undefined : ('red' as const));
      return { title, align: 'right', ...(title === 'dead' && { colour: red }) };
    }),
  ];
  const cells = (states: CountsByState) => shown.map((state) => countText(states[state], bounded));
  const first = rows.slice(0, MAX_ROWS);
  return [
    '',
    ...tableLines(screen, columns, [
      ...first.map(({ queue, handler, states }) => [queue, handler, ...cells(states)]),
      ...(rows.length === 1 ? [] : [['all', '', ...cells(all)]]),
    ]),
    ...(rows.length > MAX_ROWS ? [`and ${rows.length - MAX_ROWS} more; --json has all`] : []),
    ...(bounded ? ['Counting stopped at a limit: there are more than the numbers say.'] : []),
    ...(oldestReadyAtMs === undefined
      ? []
      : [`The oldest ready job was submitted ${formatAge(oldestReadyAtMs, nowMs)}.`]),
  ];
}
