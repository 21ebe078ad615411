import type { DatabaseSync } from 'node:sqlite';
import {
  LEFT_DEAD,
  MAX_SEGMENT_BLOCKS,
  removedLetters,
  type Sealed,
  sealBlocks,
} from '@redrive/durable/store';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import { ANCHOR_COLUMNS, type AnchorRow, anchorOf, BLOCK_COLUMNS, blockOf } from './audit-rows.ts';

/**
 * The seals over the blocks. Positions are texts as the anchor has them, so that what is hashed is what is stored. The
 * sealer needs no lease: it works under the write lock.
 */
export const AUDIT_ANCHORS = `
  CREATE TABLE audit_anchors (
    seq INTEGER PRIMARY KEY,
    from_position TEXT NOT NULL,
    to_position TEXT NOT NULL,
    blocks INTEGER NOT NULL,
    root TEXT NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
`;

/** Whether there are blocks after the newest anchor. Reads the last row of two tables. */
export const UNSEALED = `coalesce((SELECT max(seq) FROM audit_blocks), 0) > coalesce(
  (SELECT CAST(to_position AS INTEGER) FROM audit_anchors ORDER BY seq DESC LIMIT 1), 0)`;

/** Writes anchors over blocks. Transactions commit one after the other, so block numbers are in commit order. */
export class Sealer {
  readonly #unsealed: Query<[unsealed: number]>;
  readonly #head: Query<AnchorRow>;
  readonly #blocks: Query<Parameters<typeof blockOf>[0]>;
  readonly #insert: Statement;

  constructor(db: DatabaseSync) {
    this.#unsealed = query(db, `SELECT ${UNSEALED}`);
    this.#head = query(db, `SELECT ${ANCHOR_COLUMNS} FROM audit_anchors ORDER BY seq DESC LIMIT 1`);
    // A block's hash covers its body, so only bodies that may say that a dead letter left are read.
    this.#blocks = query(
      db,
      `SELECT ${BLOCK_COLUMNS}, CASE WHEN instr(body, '${LEFT_DEAD}') > 0 THEN body ELSE '' END
       FROM audit_blocks WHERE seq > ? ORDER BY seq LIMIT ?`,
    );
    this.#insert = statement(
      db,
      `INSERT INTO audit_anchors (seq, from_position, to_position, blocks, root, prev_hash, hash, at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
  }

  /** Whether there are blocks to seal. Only a hint, because it does not hold the write lock. */
  isBehind(): boolean {
    return this.#unsealed.get()?.[0] === 1;
  }

  /** Seals all blocks that have no anchor. Call it under the write lock, so that no other process seals them too. */
  seal(nowMs: number): Sealed | undefined {
    const row = this.#head.get();
    const head = row && anchorOf(row);
    const blocks = this.#blocks.all(Number(head?.to ?? 0), MAX_SEGMENT_BLOCKS).map(blockOf);
    const anchor = sealBlocks(head, blocks, nowMs);
    if (anchor === undefined) return undefined;
    const { seq, from, to, blocks: count, root, prevHash, hash, atMs } = anchor;
    this.#insert.run(seq, from, to, count, root, prevHash, hash, atMs);
    const removed = removedLetters(blocks);
    return removed ? { ...anchor, removed } : anchor;
  }
}
