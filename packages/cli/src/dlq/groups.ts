import { systemClock } from '@redrive/core';
import type { DeadGroup } from '@redrive/durable/store';
import type { RunCommand } from '../command/command-spec.ts';
import { integerOption, textOption } from '../command/option-values.ts';
import { countText } from '../store/job-counts.ts';
import { withStore } from '../store/with-store.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printJson, printLines } from '../terminal/io.ts';
import { printable } from '../terminal/printable.ts';
import type { Screen } from '../terminal/screen.ts';
import { formatAge } from '../terminal/times.ts';
import { wrapWords } from '../terminal/wrap-words.ts';
import { deadFilter } from './dead-filter.ts';

const DEFAULT_LIMIT = 20;

/** `redrive dlq groups` */
export const runDlqGroups: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const nowMs = (io.clock ?? systemClock).now();
  const filter = deadFilter(options, nowMs);
  const limit = integerOption(options, 'limit', { min: 1, max: 100 }) ?? DEFAULT_LIMIT;
  const after = textOption(options, 'after');
  const { groups, next } = await withStore(invocation, (store) =>
    store.deadGroups(filter, { limit, after }),
  );
  if (options.json) {
    printJson(io, { groups: groups.map(groupDocument), next: next ?? null });
    return EXIT.ok;
  }
  printLines(
    io,
    groups.length === 0 ? ['No dead letter matches.'] : groupLines(io.screen, groups, nowMs),
  );
  if (next !== undefined) io.stderr(`There are more: --after ${printable(next)}\n`);
  return EXIT.ok;
};

/** A cause as JSON prints it. */
export function groupDocument(group: DeadGroup) {
  return {
    fingerprint: group.fingerprint,
    pattern: group.pattern,
    count: group.count,
    bounded: group.bounded,
    first_died_at: new Date(group.firstDiedAtMs).toISOString(),
    last_died_at: new Date(group.lastDiedAtMs).toISOString(),
    newest_id: group.newestId,
  };
}

/** Each cause in full, because it is what people look for. */
export function groupLines(screen: Screen, groups: readonly DeadGroup[], nowMs: number): string[] {
  const counts = groups.map(({ count, bounded }) => countText(count, bounded));
  const width = Math.max(...counts.map((count) => count.length));
  const indent = ' '.repeat(width + 2);
  const room = screen.columns - indent.length;
  return groups.flatMap((group, index) => {
    const [first = '', ...more] = wrapWords(printable(group.pattern), room);
    const last = formatAge(group.lastDiedAtMs, nowMs);
    const since = formatAge(group.firstDiedAtMs, nowMs);
    const times = group.count === 1 ? `died ${last}` : `last died ${last}, first ${since}`;
    const names = `${group.fingerprint}, newest ${printable(group.newestId)}`;
    return [
      `${screen.paint('red', (counts[index] ?? '').padStart(width))}  ${first}`,
      ...more.map((line) => indent + line),
      ...[times, names].map((line) => indent + screen.paint('dim', line)),
    ];
  });
}
