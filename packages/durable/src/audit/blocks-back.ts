import type { Store } from '../store/store.ts';
import type { AuditBlock } from './audit-block.ts';

type BlockSource = Pick<Store, 'auditBlocks'>;

/** Blocks of one question. A block may hold a thousand records. */
const WINDOW = 100;
/** Transactions that overlap may be numbered in another order than their times are. */
const SLACK_MS = 300_000;

/** A number that all blocks up to this time have, at most. */
export async function seqAt(store: BlockSource, atMs: number): Promise<number> {
  return firstSeqWhere(async (seq) => {
    const [block] = await store.auditBlocks(seq, 1);
    return block === undefined || block.atMs > atMs + SLACK_MS;
  });
}

/** Windows of blocks with numbers up to `from`, the newest first, in each and over all. */
export async function* blocksBack(
  store: BlockSource,
  from: number,
  sinceMs = 0,
): AsyncGenerator<readonly AuditBlock[]> {
  for (let to = from; to > 0; to -= WINDOW) {
    const page = await store.auditBlocks(Math.max(0, to - WINDOW), WINDOW);
    const window = page.filter(({ seq }) => seq <= to).reverse();
    yield window;
    if (window.length > 0 && window.every(({ atMs }) => atMs < sinceMs - SLACK_MS)) return;
  }
}

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
