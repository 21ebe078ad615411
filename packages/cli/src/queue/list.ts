import { type Counts, JOB_STATES, type Pause } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { pauseDocument, pauseLines } from '../status/pauses.ts';
import { countStates, countText } from '../store/job-counts.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printList } from '../terminal/print-list.ts';
import type { Column } from '../terminal/table.ts';

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
  printList(invocation, {
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
  return EXIT.ok;
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
