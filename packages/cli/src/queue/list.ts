import { type Counts, JOB_STATES, type Pause } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { countStates, countText } from '../store/job-counts.ts';
import { withStore } from '../store/with-store.ts';
import { printList } from '../terminal/print-list.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import type { Column } from '../terminal/table.ts';
import { formatAge } from '../terminal/times.ts';
import { wrapWords } from '../terminal/wrap-words.ts';

const SHOWN = JOB_STATES.filter((state) => state !== 'purged');

const COLUMNS: readonly Column[] = [
  { title: 'queue', colour: 'cyan' },
  ...SHOWN.map((title): Column => ({ title, align: 'right' })),
  { title: '', colour: 'yellow' },
];

/** `redrive queues list` */
export const runQueueList: RunCommand = async (invocation) => {
  const [counts, pauses] = await withStore(invocation, (store) =>
    Promise.all([store.counts(), store.pauses()]),
  );
  const queues = queuesOf(counts, pauses);
  return printList(invocation, {
    name: 'queues',
    items: queues,
    document: (queue) => queue,
    columns: COLUMNS,
    row: ({ queue, paused, states }) => [
      queue,
      ...SHOWN.map((state) => countText(states[state], counts.bounded)),
      paused ? 'paused' : '',
    ],
    none: 'There are no jobs yet.',
    beside: { bounded: counts.bounded, paused: pauses.map(pauseDocument) },
    below: pauseLines(invocation.io.screen, pauses, counts.nowMs),
  });
};

function queuesOf(counts: Counts, pauses: readonly Pause[]) {
  const paused = new Set(pauses.filter(({ scope }) => scope === 'queue').map(({ name }) => name));
  const names = new Set([...counts.groups.map(({ queue }) => queue), ...paused]);
  return [...names].sort().map((queue) => ({
    queue,
    paused: paused.has(queue),
    states: countStates(counts, (group) => group.queue === queue),
  }));
}

/** A pause as JSON prints it. */
export function pauseDocument({ scope, name, sinceMs, by, why = null }: PauseOrNull) {
  return { scope, name, since: new Date(sinceMs).toISOString(), by, why };
}

type PauseOrNull = Omit<Pause, 'why'> & { readonly why?: string | null | undefined };

/** What is held back, by whom and why. */
function pauseLines(screen: Screen, pauses: readonly Pause[], nowMs: number): string[] {
  if (pauses.length === 0) return [];
  const lines = pauses.flatMap(({ scope, name, sinceMs, by, why }) => {
    const since = `${formatAge(sinceMs, nowMs)} by ${by}`;
    const text = `  ${scope} ${name}: ${since}${why === undefined ? '' : `, ${why}`}`;
    return wrapWords(printable(text), screen.columns, '    ');
  });
  return ['', screen.paint('yellow', 'Paused:'), ...lines];
}
