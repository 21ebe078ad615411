import { systemClock } from '@redrive/core';
import type { DeadFilter, DeadGroup } from '@redrive/durable/dead-letters';
import type { DeadLetterStore } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { integerOption, textOption } from '../command/option-values.ts';
import { errorWords } from '../jobs/reason-text.ts';
import { countText } from '../store/job-counts.ts';
import { withStore } from '../store/with-store.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { ageCell, type Cell, printList } from '../terminal/table.ts';
import { formatAge } from '../terminal/times.ts';
import { wrapWords } from '../terminal/wrap-words.ts';
import { deadFilter } from './dead-filter.ts';

const DEFAULT_LIMIT = 20;

export const runDlqGroups: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const nowMs = (io.clock ?? systemClock).now();
  const filter = deadFilter(options, nowMs);
  const limit = integerOption(options, 'limit', { min: 1, max: 100 }) ?? DEFAULT_LIMIT;
  const after = textOption(options, 'after');
  const { groups, next } = await withStore(invocation, async (store) => {
    const page = await store.deadGroups(filter, { limit, after });
    return { ...page, groups: await withHandlers(store, filter, page.groups) };
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

/** A cause with the handlers whose jobs died of it. */
export interface HandledGroup extends DeadGroup {
  readonly handlers: readonly string[];
}

/** Letters of one cause that tell its handlers. */
const SAMPLE = 100;
/** Handlers that are named in a line. */
const MAX_HANDLERS = 5;

/** Finds the handlers of each cause, among its newest letters. */
export async function withHandlers(
  store: Pick<DeadLetterStore, 'deadLetters'>,
  filter: DeadFilter,
  groups: readonly DeadGroup[],
): Promise<readonly HandledGroup[]> {
  return Promise.all(
    groups.map(async (group) => {
      const { fingerprint } = group;
      const { jobs } = await store.deadLetters({ ...filter, fingerprint }, { limit: SAMPLE });
      return { ...group, handlers: [...new Set(jobs.map(({ handler }) => handler))].sort() };
    }),
  );
}

/** The command that tells why, and what else can be done. */
function nextCommand({ newestId }: DeadGroup): string {
  return `redrive dlq show ${newestId}`;
}

/** A cause as JSON prints it. */
export function groupDocument(group: HandledGroup) {
  return {
    fingerprint: group.fingerprint,
    pattern: group.pattern,
    count: group.count,
    bounded: group.bounded,
    first_died_at: new Date(group.firstDiedAtMs).toISOString(),
    last_died_at: new Date(group.lastDiedAtMs).toISOString(),
    newest_id: group.newestId,
    handlers: group.handlers,
    next: nextCommand(group),
  };
}

/** For `--plain`. */
function groupRow(group: HandledGroup, nowMs: number): Cell[] {
  return [
    group.fingerprint,
    countText(group.count, group.bounded),
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
      ...wrapWords(printable(facts), room).map((line) => indent + screen.paint('dim', line)),
      indent + screen.paint('cyan', printable(nextCommand(group))),
    ];
  });
}

function handlersText({ handlers }: HandledGroup): string {
  const rest = handlers.length - MAX_HANDLERS;
  const named = handlers.slice(0, MAX_HANDLERS).join(', ');
  return rest > 0 ? `${named} and ${rest} more handlers` : named;
}
