import type { Store } from '../store/store.ts';

/** The number of the newest block; 0: there is none. A few dozen cheap questions, because the log is read forwards. */
export function newestSeq(store: Pick<Store, 'auditBlocks'>): Promise<number> {
  return firstSeqWhere(async (seq) => (await store.auditBlocks(seq, 1)).length === 0);
}

/** The least number for which it holds, where it holds for all above. */
export async function firstSeqWhere(holds: (seq: number) => Promise<boolean>): Promise<number> {
  let low = -1;
  let high = 0;
  while (!(await holds(high))) {
    low = high;
    high = Math.max(1, high * 2);
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}
