import type { AuditBlock } from '../audit/audit-block.ts';
import { type BlockRecords, blockHash } from '../audit/encode-block.ts';

const WRITER = 'memory';

/** The blocks of a store with one writer: one chain. */
export class AuditLog {
  readonly #blocks: AuditBlock[] = [];

  /** Sequence number of the next block. */
  get nextSeq(): number {
    return this.#blocks.length + 1;
  }

  /** Writes what one step did. Nothing, when it did nothing. */
  append(records: BlockRecords, atMs: number): void {
    if (records.isEmpty) return;
    const seq = this.nextSeq;
    const prevHash = this.#blocks.at(-1)?.hash ?? '';
    const { body } = records;
    this.#blocks.push({
      seq,
      writer: WRITER,
      atMs,
      prevHash,
      hash: blockHash(prevHash, body),
      body,
    });
  }

  /** Blocks after the one with this number. */
  after(seq: number, limit: number): readonly AuditBlock[] {
    return this.#blocks.slice(Math.max(0, seq), Math.max(0, seq) + limit);
  }

  /** The newest ones, newest first. */
  newest(limit: number): readonly AuditBlock[] {
    return this.#blocks.slice(-limit).reverse();
  }
}
