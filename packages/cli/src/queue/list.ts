import { type Pause, pauses } from '@redrive/durable/control';
import { JOB_STATES, pauseDocument, queuesOf } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { countText } from '../store/job-counts.ts';
import { withStore } from '../store/with-store.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { type Column, printList } from '../terminal/table.ts';
import { formatAge } from '../terminal/times.ts';
import { wrapWords } from '../terminal/wrap-words.ts';

const SHOWN = JOB_STATES.filter((state) => state !== 'purged');

const COLUMNS: readonly Column[] = [
  { title: 'queue', colour: 'cyan' },
  ...SHOWN.map((title): Column => ({ title, align: 'right' })),
  { title: '', colour: 'yellow' },
];

export const runQueueList: RunCommand = async (invocation) => {
  const [counts, paused] = await withStore(invocation, (store) =>
    Promise.all([store.counts(), pauses(store)]),
  );
  const queues = queuesOf(counts, paused);
  return printList(invocation, {
    name: 'queues',
    items: queues,
    document: (queue) => queue,
    columns: COLUMNS,
    row: ({ queue, paused: isPaused, states }) => [
      queue,
      ...SHOWN.map((state) => countText(states[state], counts.bounded)),
      isPaused ? 'paused' : '',
    ],
    none: 'There are no jobs yet.',
    beside: { bounded: counts.bounded, paused: paused.map(pauseDocument) },
    below: pauseLines(invocation.io.screen, paused, counts.nowMs),
  });
};

/** Each pause with who set it and why. */
function pauseLines(screen: Screen, all: readonly Pause[], nowMs: number): string[] {
  if (all.length === 0) return [];
  const lines = all.flatMap(({ scope, name, sinceMs, by, why }) => {
    const since = `${formatAge(sinceMs, nowMs)} by ${by}`;
    const text = `  ${scope} ${name}: ${since}${why === undefined ? '' : `, ${why}`}`;
    return wrapWords(printable(text), screen.columns, '    ');
  });
  return ['', screen.paint('yellow', 'Paused:'), ...lines];
}
