import { commandText } from '@redrive/core/fields';
import { targetText, wordOf } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { concernedText, targetWords } from '@redrive/operate/texts';
import { listOf, type Shown, textOf } from '../action/renderer.ts';
import { note, printText } from '../terminal/io.ts';
import { rateText } from '../terminal/parse-rate.ts';
import { printable } from '../terminal/printable.ts';
import { ageCell, columns } from '../terminal/table.ts';
import { formatAge } from '../terminal/times.ts';
import { onceThereIsAWorker } from '../workers/worker-view.ts';

type Kills = AnswerOf<typeof ACTIONS.kill.list>;
type Kill = Kills['engaged'][number];
type Engaged = AnswerOf<typeof ACTIONS.kill.engage>;
type Released = AnswerOf<typeof ACTIONS.kill.release>;
type Target = Pick<Kill, 'scope' | 'name'>;

export const KILL_ENGAGE = textOf<Engaged>(
  (shown) => {
    printText(shown.io, engageText(shown));
    if (!shown.answer.dry_run) note(shown.io, `To release it: ${releaseCommand(shown.answer)}`);
  },
  ({ place, created }) => ({ store: place, created }),
);

function engageText({ answer, place, created, nowMs }: Shown<Engaged>): string {
  const { mode, since, by, changed, dry_run: dry } = answer;
  const what = stoppedText(answer);
  if (created && dry)
    return `The store ${place} does not exist. It would be created, and would stop ${what}.`;
  const text = created
    ? 'This store is new: no worker is known to use it.'
    : concernedText(mode, answer);
  if (dry) return `It would stop ${what} in ${place}. ${text}`.trim();
  if (changed)
    return `Stopped: ${what} in ${place}, in every process within a second. ${text}`.trim();
  const age = formatAge(Date.parse(since), nowMs);
  return `The kill switch for ${what} in ${place} was already engaged: ${age} by ${by}.`;
}

export const KILL_RELEASE = textOf<Released>(({ io, answer }) => {
  const { pace, has_worker, still_engaged: rest, dry_run: dry } = answer;
  const how =
    pace === null
      ? 'all its waiting jobs may start at once'
      : `its jobs are released at a growing pace, beginning with ${rateText(pace)}${onceThereIsAWorker(has_worker)}`;
  printText(
    io,
    `The kill switch for ${stoppedText(answer)} ${dry ? 'would be' : 'is'} released: ${how}.`,
  );
  // One switch may be released while another one still stops the same jobs.
  if (!dry && rest.length > 0)
    io.stderr(`${printable(`Still engaged: ${rest.map(targetWords).join(', ')}.`)}\n`);
});

const COLUMNS = columns(
  'scope:red | name:cyan,optional | since | by | running jobs | why:shrinks,optional',
);

const NONE =
  'No kill switch is engaged. "redrive kill engage" stops everything, a queue, a handler or a tenant.';

export const KILL_LIST = listOf<Kills, Kill>(({ nowMs }) => ({
  name: 'engaged',
  columns: COLUMNS,
  none: NONE,
  row: ({ scope, name, since, by, mode, why }) => [
    wordOf(scope),
    name ?? '',
    ageCell(since, nowMs),
    by,
    { shown: mode === 'interrupt' ? 'interrupted' : 'may finish', exact: mode },
    why ?? '',
  ],
}));

/** `the queue mail` */
export function stoppedText({ scope, name }: Target): string {
  return targetText({ scope, name: name ?? undefined });
}

/** The command that releases a kill switch. */
export function releaseCommand({ scope, name }: Target): string {
  return name === null
    ? commandText`redrive kill release ${scope}`
    : commandText`redrive kill release ${[wordOf(scope), name]}`;
}
