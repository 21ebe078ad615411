import { counted, countText, errorWords } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { textOf } from '../action/renderer.ts';
import { printLines } from '../terminal/io.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatTime } from '../terminal/times.ts';

type Compared = AnswerOf<typeof ACTIONS.deadLetters.causes>;
type Group = Compared['groups'][number];
type Cause = Group['causes'][number];

export const DEAD_CAUSES = textOf<Compared>(({ io, answer }) =>
  printLines(io, causesLines(io.screen, answer)),
);

function causesLines(screen: Screen, answer: Compared): string[] {
  const { groups, more_groups: rest } = answer;
  if (groups.length === 0) return ['No dead letter matches.'];
  return [
    ...wrapWords(lookedText(answer), screen.columns),
    ...groups.flatMap((group) => ['', ...groupLines(screen, answer, group)]),
    ...(rest > 0 ? ['', `and ${counted(rest, 'smaller group')}; --limit shows more`] : []),
  ];
}

function lookedText({ looked_at: { letters, succeeded }, window: { from, to } }: Compared): string {
  const timeText = (at: string | null) => formatTime(Date.parse(at ?? ''));
  const newest = `${letters.bounded ? 'the newest ' : ''}${counted(letters.count, 'dead letter')}`;
  const jobs = `${counted(succeeded.count, 'job')} that succeeded`;
  const looked = `Looked at ${newest} and ${jobs}, submitted between ${timeText(from)} and ${timeText(to)}.`;
  const part =
    'More jobs succeeded, so only jobs of some minutes of this time are compared: select fewer with --since, --until or --handler.';
  return succeeded.bounded ? `${looked} ${part}` : looked;
}

function groupLines(screen: Screen, answer: Compared, group: Group): string[] {
  const count = countText(group.count, false);
  const indent = ' '.repeat(count.length + 2);
  const room = screen.columns - indent.length;
  const wrapped = (text: string) => wrapWords(printable(text), room).map((line) => indent + line);
  const [first = '', ...more] = wrapWords(printable(errorWords(group.pattern)), room);
  return [
    `${screen.paint('red', count)}  ${first}`,
    ...more.map((line) => indent + line),
    ...group.causes.flatMap((cause) => wrapped(causeText(cause))),
    ...wrapped(group.suggestion ?? nothingText(answer, group)),
    indent + screen.paint('cyan', printable(group.next)),
  ];
}

/** `tenant acme: 40 of 50 dead letters (80%), 5 of 100 succeeded jobs (5%), G 87.6` */
function causeText({ values, letters: failed, succeeded, g }: Cause): string {
  const names = values.map(({ dimension, value }) => `${dimension.replace('_', ' ')} ${value}`);
  const letters = `${shareText(failed)} dead letters (${percentText(failed)})`;
  const others = `${shareText(succeeded)} succeeded jobs (${percentText(succeeded)})`;
  return `${names.join(' with ')}: ${letters}, ${others}, G ${g.toFixed(1)}`;
}

type Side = Cause['letters'];

function shareText(side: Side): string {
  return `${countText(side.with, false)} of ${countText(side.with + side.without, false)}`;
}

function percentText(side: Side): string {
  return `${Math.round((100 * side.with) / (side.with + side.without))}%`;
}

function nothingText({ looked_at }: Compared, { compared }: Group): string {
  if (looked_at.succeeded.count === 0)
    return 'No job succeeded in this time: there is nothing to compare with.';
  if (compared < 5) return 'Too few dead letters to compare: at least 5 are needed.';
  return 'Nothing sets these dead letters apart from the jobs that succeeded.';
}
