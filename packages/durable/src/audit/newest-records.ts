import type { Store } from '../store/store.ts';
import { blocksBack, newestSeq, seqAt } from './blocks-back.ts';
import type { RecordPlace } from './proof.ts';
import type { FoundRecord, RecordFilter } from './record-filter.ts';

/** Blocks that one page looks at. */
const MAX_SCAN = 100_000;

/** The newest records that fit, the newest first. `cursor`: the place of the last record of the page before. */
export async function newestRecords(
  store: Store,
  filter: RecordFilter,
  limit: number,
  cursor?: RecordPlace,
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
