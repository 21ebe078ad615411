import { systemClock } from '@redrive/core';
import type { Store } from '@redrive/durable';
import type { RunCommand } from '../command/command-spec.ts';
import { pageOptions } from '../command/option-values.ts';
import { withStore } from '../store/with-store.ts';
import { CliError } from '../terminal/cli-error.ts';
import { printList } from '../terminal/table.ts';
import { blocksBack, newestSeq, seqAt } from './blocks-back.ts';
import { type FoundRecord, RecordFilter } from './record-filter.ts';
import { foundDocument, RECORD_COLUMNS, recordLines, recordRow } from './record-lines.ts';

/** Blocks that one page looks at. */
const MAX_SCAN = 100_000;

export const runAuditList: RunCommand = async (invocation) => {
  const { io, options } = invocation;
  const { limit, after } = pageOptions(options);
  const cursor = cursorOf(after);
  const { found, next } = await withStore(invocation, (store) => {
    const filter = new RecordFilter(store, options, (io.clock ?? systemClock).now());
    return newestRecords(store, filter, limit, cursor);
  });
  return printList(invocation, {
    name: 'records',
    items: found,
    document: foundDocument,
    columns: RECORD_COLUMNS,
    row: ({ record }) => recordRow(io.screen, record),
    none: 'No record matches.',
    next,
    lines: ({ screen }) => found.flatMap(({ record }) => recordLines(screen, record)),
  });
};

interface Cursor {
  readonly block: number;
  /** Records of that block before this one. */
  readonly index: number;
}

/** The newest records that fit, the newest first. */
export async function newestRecords(
  store: Store,
  filter: RecordFilter,
  limit: number,
  cursor?: Cursor,
): Promise<{ readonly found: readonly FoundRecord[]; readonly next?: string }> {
  const { sinceMs, untilMs } = filter;
  const newest = cursor?.block ?? (await newestSeq(store));
  const from = untilMs === undefined ? newest : Math.min(newest, await seqAt(store, untilMs));
  const found: FoundRecord[] = [];
  let scanned = 0;
  for await (const window of blocksBack(store, from, sinceMs)) {
    const records = (await filter.find([...window].reverse())).toReversed();
    for (const each of records) {
      if (each.block === cursor?.block && each.index >= cursor.index) continue;
      found.push(each);
      if (found.length === limit) return { found, next: `${each.block}.${each.index}` };
    }
    scanned += window.length;
    const last = window.at(-1);
    if (scanned >= MAX_SCAN && last !== undefined) return { found, next: `${last.seq}.0` };
  }
  return { found };
}

function cursorOf(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined;
  const [, block, index] = /^(\d{1,15})\.(\d{1,9})$/.exec(text) ?? [];
  if (block === undefined) {
    throw new CliError('usage', `--after is not a cursor: ${text}`, 'It is printed under a list.');
  }
  return { block: Number(block), index: Number(index) };
}
