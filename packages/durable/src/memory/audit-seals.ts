import {
  type Anchor,
  MAX_SEGMENT_BLOCKS,
  type PlacedBlock,
  positionOf,
  sealBlocks,
} from '../audit/anchor.ts';
import type { AuditBlock } from '../audit/audit-block.ts';
import type { Sealed } from '../audit/audit-store.ts';
import { removedLetters } from '../audit/removed-letters.ts';
import type { StoredPolicy } from '../store/store.ts';
import type { AuditLog } from './audit-log.ts';
import { compareText } from './compare-text.ts';
import type { JobTable } from './job-table.ts';
import type { AuditSnapshot } from './snapshot-reader.ts';

/** The anchors over an audit log in memory. */
export class AuditSeals {
  readonly #log: AuditLog;
  readonly #anchors: Anchor[] = [];
  #sealed = 0;

  constructor(log: AuditLog) {
    this.#log = log;
  }

  /** Whether there are blocks without an anchor. */
  get pending(): boolean {
    return this.#sealed < this.#log.nextSeq - 1;
  }

  get newest(): Pick<Anchor, 'seq' | 'atMs'> | undefined {
    const newest = this.#anchors.at(-1);
    return newest && { seq: newest.seq, atMs: newest.atMs };
  }

  /** Seals what is there and is not sealed; nothing where there is nothing. */
  seal(nowMs: number): Sealed | undefined {
    const blocks = this.#log.after(this.#sealed, MAX_SEGMENT_BLOCKS).map(placed);
    const anchor = sealBlocks(this.#anchors.at(-1), blocks, nowMs);
    if (anchor === undefined) return undefined;
    this.#anchors.push(anchor);
    this.#sealed += anchor.blocks;
    const removed = removedLetters(blocks);
    return removed ? { ...anchor, removed } : anchor;
  }

  /** All of it, as it is now. */
  snapshot(table: JobTable, policies: ReadonlyMap<string, StoredPolicy>): AuditSnapshot {
    const lookups = Array.from(table, (job) => {
      const { id, revision, token, auditBlock, state } = job;
      return { id, revision, token, auditBlock, state, row: { ...job } };
    });
    return {
      anchors: [...this.#anchors],
      blocks: this.#log.after(0, Number.POSITIVE_INFINITY).map(placed),
      lookups: lookups.sort((a, b) => compareText(a.id, b.id)),
      policies: new Map(policies),
    };
  }
}

function placed(block: AuditBlock): PlacedBlock {
  return { ...block, position: positionOf(block.seq) };
}
