import type { Store } from '../store/store.ts';
import { blocksBack, seqAt } from './blocks-back.ts';
import { newestSeq } from './newest-seq.ts';
import type { FoundRecord, RecordFilter } from './record-filter.ts';

/** Blocks that one page looks at. */
const MAX_SCAN = 100_000;

/** Where a page of records ended. */
export interface RecordCursor {
  readonly block: number;
  /** Records of that block before this one. */
  readonly index: number;
}

/** The newest records that fit, the newest first. */
export async function newestRecords(
  store: Store,
  filter: RecordFilter,
  limit: number,
  cursor?: RecordCursor,
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

/** A cursor from its text, `17.0`. `undefined`: it is none. */
export function recordCursor(text: string): RecordCursor | undefined {
  const [, block, index] = /^(\d{1,15})\.(\d{1,9})$/.exec(text) ?? [];
  return block === undefined ? undefined : { block: Number(block), index: Number(index) };
}
