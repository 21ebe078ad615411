import { type Pause, pauses, pauseWork, resumeWork } from '@redrive/durable/control';
import { JOB_STATES, pauseDocument, queuesOf } from '@redrive/durable/store';
import type { Invocation, RunCommand } from '../command/command-spec.ts';
import { tellStranger } from '../kill/kill-switches.ts';
import { actorOf, withStore } from '../store/with-store.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { type Column, countCell, printList } from '../terminal/table.ts';
import { formatAge } from '../terminal/times.ts';

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
    row: ({ queue, paused: isPaused, states, bounded }) => [
      queue,
      ...SHOWN.map((state) => countCell(states[state], bounded.includes(state))),
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

export const runPause: RunCommand = (invocation) => change(invocation, true);

export const runResume: RunCommand = (invocation) => change(invocation, false);

async function change(invocation: Invocation, paused: boolean): Promise<void> {
  const { io, args, options } = invocation;
  const dry = options.dryRun === true;
  const name = args[0] ?? '';
  const scope = options.handler ? 'handler' : 'queue';
  const { was, changed } = await withStore(invocation, async (store) => {
    const all = await pauses(store);
    const before = all.some((pause) => pause.scope === scope && pause.name === name);
    if (dry) return { was: before, changed: false };
    const act = paused ? pauseWork : resumeWork;
    const result = await act(store, { scope, name, actor: actorOf(options) });
    if (result.changed && paused) await tellStranger(io, store, scope, name);
    return { was: before, changed: result.changed };
  });
  if (options.json) {
    printJson(io, { scope, name, paused: dry ? was : paused, changed, dry_run: dry });
  } else {
    const done = paused ? 'paused' : 'resumed';
    const would = was === paused ? 'would stay as it is' : `would be ${done}`;
    const same = paused ? 'was already paused' : 'was not paused';
    const is = changed ? `is ${done}` : same;
    printLines(io, [printable(`The ${scope} ${name} ${dry ? would : is}.`)]);
  }
}
