import { JOB_STATES } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { listOf, textOf } from '../action/renderer.ts';
import { printText } from '../terminal/io.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { type Column, countCell } from '../terminal/table.ts';
import { formatAge } from '../terminal/times.ts';

type Queues = AnswerOf<typeof ACTIONS.queues.list>;
type Changed = AnswerOf<typeof ACTIONS.queues.pause>;

const SHOWN = JOB_STATES.filter((state) => state !== 'purged');

const COLUMNS: readonly Column[] = [
  { title: 'queue', colour: 'cyan' },
  ...SHOWN.map((title): Column => ({ title, align: 'right' })),
  { title: '', colour: 'yellow' },
];

export const QUEUE_LIST = listOf<Queues, Queues['queues'][number]>(
  ({ io, answer: { paused }, nowMs }) => ({
    name: 'queues',
    columns: COLUMNS,
    none: 'There are no jobs yet.',
    row: ({ queue, paused: isPaused, states, bounded }) => [
      queue,
      ...SHOWN.map((state) => countCell(states[state], bounded.includes(state))),
      isPaused ? 'paused' : '',
    ],
    below: pauseLines(io.screen, paused, nowMs),
  }),
);

/** Each pause with who set it and why. */
function pauseLines(screen: Screen, all: Queues['paused'], nowMs: number): string[] {
  if (all.length === 0) return [];
  const lines = all.flatMap(({ scope, name, since, by, why }) => {
    const age = `${formatAge(Date.parse(since), nowMs)} by ${by}`;
    const text = `  ${scope} ${name}: ${age}${why === null ? '' : `, ${why}`}`;
    return wrapWords(printable(text), screen.columns, '    ');
  });
  return ['', screen.paint('yellow', 'Paused:'), ...lines];
}

/** Of a pause, or of its end: also those of a schedule. */
export const PAUSE_CHANGE = textOf<Changed>(({ io, answer, invocation }) => {
  const { scope, name, paused, changed, dry_run } = answer;
  const pauses = invocation.command.endsWith(' pause');
  const done = pauses ? 'paused' : 'resumed';
  const would = paused === pauses ? 'would stay as it is' : `would be ${done}`;
  const same = pauses ? 'was already paused' : 'was not paused';
  printText(io, `The ${scope} ${name} ${dry_run ? would : changed ? `is ${done}` : same}.`);
});
