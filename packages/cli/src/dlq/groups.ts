import { countText, errorWords } from '@redrive/durable/store';
import type { ACTIONS, AnswerOf } from '@redrive/operate';
import { listOf } from '../action/renderer.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { ageCell, type Cell, countCell } from '../terminal/table.ts';
import { formatAge } from '../terminal/times.ts';
import { messageLines } from './message-line.ts';

type Groups = AnswerOf<typeof ACTIONS.deadLetters.groups>;
type Group = Groups['groups'][number];

export const GROUP_LIST = listOf<Groups, Group>(({ answer, nowMs }) => ({
  name: 'groups',
  columns: [],
  row: (group) => groupRow(group, nowMs),
  none: 'No dead letter matches.',
  lines: ({ screen }) => groupLines(screen, answer.groups, nowMs),
}));

/** Handlers that are named in a line. */
const MAX_HANDLERS = 5;

/** For `--plain`. */
function groupRow(group: Group, nowMs: number): Cell[] {
  return [
    group.fingerprint,
    countCell(group.count, group.bounded),
    ageCell(group.first_died_at, nowMs),
    ageCell(group.last_died_at, nowMs),
    group.handlers.join(', '),
    group.newest_id,
    errorWords(group.pattern),
  ];
}

/** Each cause in full, because it is what people look for. */
export function groupLines(screen: Screen, groups: readonly Group[], nowMs: number): string[] {
  const counts = groups.map(({ count, bounded }) => countText(count, bounded));
  const width = Math.max(...counts.map((count) => count.length));
  const indent = ' '.repeat(width + 2);
  const room = screen.columns - indent.length;
  return groups.flatMap((group, index) => {
    const [first = '', ...more] = wrapWords(printable(errorWords(group.pattern)), room);
    const last = formatAge(Date.parse(group.last_died_at), nowMs);
    const since = formatAge(Date.parse(group.first_died_at), nowMs);
    const times = group.count === 1 ? `died ${last}` : `last died ${last}, first ${since}`;
    const facts = `${handlersText(group)}: ${times}, ${group.fingerprint}`;
    return [
      `${screen.paint('red', (counts[index] ?? '').padStart(width))}  ${first}`,
      ...more.map((line) => indent + line),
      ...messageLines(screen, varying(group), room).map((line) => indent + line),
      ...wrapWords(printable(facts), room).map((line) => indent + screen.paint('dim', line)),
      indent + screen.paint('cyan', printable(group.next)),
    ];
  });
}

/** A message without varying parts is the cause itself, unless people gave the cause a name. */
function varying({ last_message, pattern }: Group) {
  const text = last_message.map((part) => part.text).join('');
  return pattern.endsWith(text) && last_message.every(({ varies }) => !varies) ? [] : last_message;
}

function handlersText({ handlers }: Group): string {
  const rest = handlers.length - MAX_HANDLERS;
  const named = handlers.slice(0, MAX_HANDLERS).join(', ');
  return rest > 0 ? `${named} and ${rest} more handlers` : named;
}
