import type { PlacedBlock } from './anchor.ts';
import type { AuditRecord } from './audit-block.ts';
import type { AuditProblems } from './audit-problem.ts';
import type { AuditReader } from './audit-reader.ts';
import { readBody } from './read-body.ts';

// A block may hold a thousand records, so a page is small.
const PAGE = 100;

export interface ReadProgress {
  /** 1 is the first time through the log; more follow where there are too many jobs for one. */
  readonly pass: number;
  /** In this pass. */
  readonly blocks: number;
  readonly records: number;
  /** Sequence number of the last block. */
  readonly seq: number;
}

export interface ReadLogOptions {
  readonly reader: Pick<AuditReader, 'blocks'>;
  /** Gets a problem for each unreadable block or record. */
  readonly problems: AuditProblems;
  readonly pass?: number | undefined;
  readonly onProgress?: ((progress: ReadProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads a log from its start, block by block in the order of positions. `onBlock` says whether it goes on. */
export async function readLog(
  { reader, problems, pass = 1, onProgress, signal }: ReadLogOptions,
  onBlock: (block: PlacedBlock, records: readonly AuditRecord[]) => Promise<boolean>,
): Promise<{ readonly blocks: number; readonly records: number }> {
  let blocks = 0;
  let records = 0;
  let after = '';
  for (;;) {
    signal?.throwIfAborted();
    const page = await reader.blocks(after, PAGE);
    const last = page.at(-1);
    if (last === undefined) break;
    for (const block of page) {
      const read = readBody(block, problems);
      blocks += 1;
      records += read.length;
      if (!(await onBlock(block, read))) return { blocks, records };
    }
    onProgress?.({ pass, blocks, records, seq: last.seq });
    if (last.position <= after) {
      // It would be read for ever.
      problems.add('order', { block: last.seq }, `a page behind ${after}`, last.position);
      break;
    }
    after = last.position;
  }
  return { blocks, records };
}
