import type { DatabaseSync } from 'node:sqlite';
import { systemClock } from '@redrive/core';
import {
  type AuditPack,
  type Compressed,
  type CompressOptions,
  compressedInto,
  fillsPack,
  LEAF_WRITER,
  MAX_PACK_BLOCKS,
  type PlacedBlock,
  packBlocks,
} from '@redrive/durable/store';
import { type Query, query, type Statement, statement } from '../database/statement.ts';
import { BLOCK_COLUMNS, type BlockRow, blockOf } from './audit-rows.ts';

/** Old blocks, compressed: they are in no row of `audit_blocks` any more. */
export const AUDIT_PACKS = `
  CREATE TABLE audit_packs (
    seq INTEGER PRIMARY KEY,
    from_position TEXT NOT NULL,
    to_position TEXT NOT NULL,
    min_seq INTEGER NOT NULL,
    max_seq INTEGER NOT NULL,
    blocks INTEGER NOT NULL,
    data BLOB NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_packs_to ON audit_packs (to_position);
  CREATE INDEX audit_anchors_at ON audit_anchors (at);
`;

/** Blocks that are read at a time: one may hold a thousand records. */
const PAGE = 50;

/** A pack that is ready to be written. The reading thread makes it, so that commits do not wait for the compression. */
export interface PreparedPack {
  readonly pack: AuditPack;
  readonly compressed: Compressed;
}

/** The oldest blocks that can be compressed, as a pack. */
export function preparePack(
  db: DatabaseSync,
  { sealedForMs, minBlocks = MAX_PACK_BLOCKS }: CompressOptions,
  nowMs = systemClock.now(),
): PreparedPack | undefined {
  const [seq = 0, to = ''] = lastPack(db).get() ?? [];
  const blocks = oldest(db, Number(to), sealedUpTo(db, nowMs - sealedForMs));
  if (!fillsPack(blocks, minBlocks)) return undefined;
  const pack = packBlocks(seq + 1, blocks);
  return pack && { pack, compressed: compressedInto(pack, blocks) };
}

function lastPack(db: DatabaseSync): Query<[seq: number, to: string]> {
  return query(db, 'SELECT seq, to_position FROM audit_packs ORDER BY seq DESC LIMIT 1');
}

/**
 * The last block that may be compressed. The newest block of the chain stays a row: the next block takes its number and
 * hash from it. A leaf is in no chain.
 */
function sealedUpTo(db: DatabaseSync, atMs: number): number {
  const [position, newest] =
    query<[position: string | null, newest: number | null]>(
      db,
      `SELECT (SELECT to_position FROM audit_anchors WHERE at <= ? ORDER BY at DESC, seq DESC LIMIT 1),
        coalesce((SELECT seq FROM audit_blocks WHERE writer <> '${LEAF_WRITER}' ORDER BY seq DESC LIMIT 1),
          (SELECT max(seq) FROM audit_blocks))`,
    ).get(atMs) ?? [];
  return Math.min(Number(position ?? 0), (newest ?? 0) - 1);
}

/** As many blocks as a pack may hold, and at most one page more. */
function oldest(db: DatabaseSync, after: number, upTo: number): PlacedBlock[] {
  const page = query<BlockRow>(
    db,
    `SELECT ${BLOCK_COLUMNS}, body FROM audit_blocks WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ${PAGE}`,
  );
  const blocks: PlacedBlock[] = [];
  while (!fillsPack(blocks, MAX_PACK_BLOCKS)) {
    const next = page.all(blocks.at(-1)?.seq ?? after, upTo).map(blockOf);
    if (next.length === 0) break;
    blocks.push(...next);
  }
  return blocks;
}

/** Replaces rows by packs, on the writing connection. */
export class Compressor {
  readonly #last: Query<[seq: number, to: string]>;
  readonly #insert: Statement;
  readonly #delete: Statement;

  constructor(db: DatabaseSync) {
    this.#last = lastPack(db);
    this.#insert = statement(
      db,
      `INSERT INTO audit_packs (seq, from_position, to_position, min_seq, max_seq, blocks, data, hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#delete = statement(db, 'DELETE FROM audit_blocks WHERE seq BETWEEN ? AND ?');
  }

  /** Call it under the write lock. Returns `false` if another process has packed these blocks already. */
  write({ seq, from, to, minSeq, maxSeq, blocks, data, hash }: AuditPack): boolean {
    const [last = 0] = this.#last.get() ?? [];
    if (last + 1 !== seq) return false;
    this.#insert.run(seq, from, to, minSeq, maxSeq, blocks, data, hash);
    const { changes } = this.#delete.run(minSeq, maxSeq);
    // Blocks are never changed, so these rows are the packed ones, unless another program writes to the table.
    if (Number(changes) !== blocks) {
      throw new Error(`${changes} rows instead of ${blocks} blocks would be compressed`);
    }
    return true;
  }
}
