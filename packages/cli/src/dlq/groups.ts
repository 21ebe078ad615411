import { systemClock } from '@redrive/core';
import {
  countText,
  errorWords,
  groupDocument,
  type HandledGroup,
  showCommand,
  withHandlers,
} from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { integerOption, textOption } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { printable, wrapWords } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { ageCell, type Cell, countCell, printList } from '../terminal/table.ts';
import { formatAge } from '../terminal/times.ts';
import { deadFilter } from './dead-filter.ts';
import { messageLines } from './message-line.ts';

const DEFAULT_LIMIT = 20;

export const runDlqGroups: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const nowMs = (io.clock ?? systemClock).now();
  const filter = deadFilter(options, nowMs);
  const limit = integerOption(options, 'limit', { min: 1, max: 100 }) ?? DEFAULT_LIMIT;
  const after = textOption(options, 'after');
  const { groups, next } = await withStore(invocation, async (store) => {
    const page = await store.deadGroups(filter, { limit, after });
    return { ...page, groups: await withHandlers(store, filter, page.groups, nowMs) };
  });
  return printList(invocation, {
    name: 'groups',
    items: groups,
    document: groupDocument,
    columns: [],
    row: (group) => groupRow(group, nowMs),
    none: 'No dead letter matches.',
    next,
    lines: ({ screen }) => groupLines(screen, groups, nowMs),
  });
};

/** Handlers that are named in a line. */
const MAX_HANDLERS = 5;

/** For `--plain`. */
function groupRow(group: HandledGroup, nowMs: number): Cell[] {
  return [
    group.fingerprint,
    countCell(group.count, group.bounded),
    ageCell(group.firstDiedAtMs, nowMs),
    ageCell(group.lastDiedAtMs, nowMs),
    group.handlers.join(', '),
    group.newestId,
    errorWords(group.pattern),
  ];
}

/** Each cause in full, because it is what people look for. */
export function groupLines(
  screen: Screen,
  groups: readonly HandledGroup[],
  nowMs: number,
): string[] {
  const counts = groups.map(({ count, bounded }) => countText(count, bounded));
  const width = Math.max(...counts.map((count) => count.length));
  const indent = ' '.repeat(width + 2);
  const room = screen.columns - indent.length;
  return groups.flatMap((group, index) => {
    const [first = '', ...more] = wrapWords(printable(errorWords(group.pattern)), room);
    const last = formatAge(group.lastDiedAtMs, nowMs);
    const since = formatAge(group.firstDiedAtMs, nowMs);
    const times = group.count === 1 ? `died ${last}` : `last died ${last}, first ${since}`;
    const facts = `${handlersText(group)}: ${times}, ${group.fingerprint}`;
    return [
      `${screen.paint('red', (counts[index] ?? '').padStart(width))}  ${first}`,
      ...more.map((line) => indent + line),
      ...messageLines(screen, varying(group), room).map((line) => indent + line),
      ...wrapWords(printable(facts), room).map((line) => indent + screen.paint('dim', line)),
      indent + screen.paint('cyan', printable(showCommand(group))),
    ];
  });
}

/** A message without varying parts is the cause itself, unless people gave the cause a name. */
function varying({ lastMessage = [], pattern }: HandledGroup) {
  const text = lastMessage.map((part) => part.text).join('');
  return pattern.endsWith(text) && lastMessage.every(({ varies }) => !varies) ? [] : lastMessage;
}

function handlersText({ handlers }: HandledGroup): string {
  const rest = handlers.length - MAX_HANDLERS;
  const named = handlers.slice(0, MAX_HANDLERS).join(', ');
  return rest > 0 ? `${named} and ${rest} more handlers` : named;
}
