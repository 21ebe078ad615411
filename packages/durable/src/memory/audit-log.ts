import {
  type Anchor,
  MAX_SEGMENT_BLOCKS,
  type PlacedBlock,
  positionOf,
  sealBlocks,
} from '../audit/anchor.ts';
import type { AuditBlock } from '../audit/audit-block.ts';
import type { Sealed } from '../audit/audit-store.ts';
import { type BlockRecords, blockHash } from '../audit/encode-block.ts';
import { removedLetters } from '../audit/removed-letters.ts';
import type { StoredPolicy } from '../store/store.ts';
import { compareText } from './compare-text.ts';
import type { JobTable } from './job-table.ts';
import type { AuditSnapshot } from './snapshot-reader.ts';

const WRITER = 'memory';

/** The blocks of a store with one writer, which are one chain, and the anchors over them. */
export class AuditLog {
  readonly #blocks: AuditBlock[] = [];
  readonly #anchors: Anchor[] = [];
  #sealed = 0;

  /** Sequence number of the next block. */
  get nextSeq(): number {
    return this.#blocks.length + 1;
  }

  /** Writes the records of one step. Without records it writes nothing. */
  append(records: BlockRecords, atMs: number): void {
    if (records.isEmpty) return;
    const { body } = records;
    const prevHash = this.#blocks.at(-1)?.hash ?? '';
    const hash = blockHash(prevHash, body);
    this.#blocks.push({ seq: this.nextSeq, writer: WRITER, atMs, prevHash, hash, body });
  }

  /** Blocks after the one with this number. */
  after(seq: number, limit: number): readonly AuditBlock[] {
    return this.#blocks.slice(Math.max(0, seq), Math.max(0, seq) + limit);
  }

  /** Whether there are blocks without an anchor. */
  get pending(): boolean {
    return this.#sealed < this.#blocks.length;
  }

  /** The newest anchor. */
  get newest(): Pick<Anchor, 'seq' | 'atMs'> | undefined {
    const newest = this.#anchors.at(-1);
    return newest && { seq: newest.seq, atMs: newest.atMs };
  }

  /** Seals blocks without an anchor. `undefined`: there are none. */
  seal(nowMs: number): Sealed | undefined {
    const blocks = this.after(this.#sealed, MAX_SEGMENT_BLOCKS).map(placed);
    const anchor = sealBlocks(this.#anchors.at(-1), blocks, nowMs);
    if (anchor === undefined) return undefined;
    this.#anchors.push(anchor);
    this.#sealed += anchor.blocks;
    const removed = removedLetters(blocks);
    return removed ? { ...anchor, removed } : anchor;
  }

  /** The whole log as it is now. */
  snapshot(table: JobTable, policies: ReadonlyMap<string, StoredPolicy>): AuditSnapshot {
    const lookups = Array.from(table, (job) => {
      const { id, revision, token, auditBlock, state } = job;
      return { id, revision, token, auditBlock, state, row: { ...job } };
    });
    return {
      anchors: [...this.#anchors],
      blocks: this.#blocks.map(placed),
      lookups: lookups.sort((a, b) => compareText(a.id, b.id)),
      policies: new Map(policies),
    };
  }
}

function placed(block: AuditBlock): PlacedBlock {
  return { ...block, position: positionOf(block.seq) };
}
