import { createHash } from 'node:crypto';
import type { AuditBlock } from './audit-block.ts';
import { leafHash, MerkleTree } from './merkle.ts';

/**
 * A block with its place in the order of sealing. Positions are texts that the store makes; they are unique, and compare
 * as texts do (by code units), so numbers in them have a fixed width. Whatever is committed later than an anchor stands
 * behind it:
 *
 * - SQLite and memory write one transaction after the other, so the sequence number is the order: `0000000000000017`.
 * - Postgres gives out numbers before transactions commit, and they commit in another order. There the position is the
 *   epoch (raised after a dump and restore, when transaction ids begin anew), the transaction's id and the sequence
 *   number: `0001.00000000000000004711.0000000000000017`. The sealer takes blocks of transactions below the oldest one
 *   that runs (`pg_snapshot_xmin`): all of those have ended, and later ones get higher ids.
 */
export interface PlacedBlock extends AuditBlock {
  readonly position: string;
}

/**
 * The seal over a segment: all blocks after the anchor before, up to and including `to`. Each anchor has the hash of the
 * anchor before, so the newest anchor, the head, covers the whole log. A saved head shows later whether the log was cut.
 */
export interface Anchor {
  /** From 1, without a gap. */
  readonly seq: number;
  /** Position of the first block of its segment. */
  readonly from: string;
  /** Position of the last one. */
  readonly to: string;
  /** How many there are, at least one. */
  readonly blocks: number;
  /** Merkle root, in hex, over `blockLeaf` of each block, in the order of their positions. */
  readonly root: string;
  /** Hash of the anchor before it; `""` for the first one. */
  readonly prevHash: string;
  readonly hash: string;
  /** The store's time of sealing. */
  readonly atMs: number;
}

/** The head of the audit log. Save it outside the store: it shows later whether the log was cut or rewritten. */
export type AuditHead = Pick<Anchor, 'seq' | 'hash'>;

/** The writer of blocks inside a caller's transaction: not chained, because a rollback would break a chain. */
export const LEAF_WRITER = 'leaf';

/** Most blocks under one anchor, so that sealing a backlog takes little memory at a time. */
export const MAX_SEGMENT_BLOCKS = 10_000;

/** The leaf of a block, over every column. It covers the body through the block's hash. */
export function blockLeaf({
  position,
  seq,
  writer,
  atMs,
  prevHash,
  hash,
}: PlacedBlock): Uint8Array {
  return leafHash(JSON.stringify([position, seq, writer, atMs, prevHash, hash]));
}

/** Hash of an anchor, over every other column of it. */
export function anchorHash(anchor: Omit<Anchor, 'hash'>): string {
  const { seq, from, to, blocks, root, prevHash, atMs } = anchor;
  const text = JSON.stringify(['redrive/anchor/1', seq, from, to, blocks, root, prevHash, atMs]);
  return createHash('sha256').update(text).digest('hex');
}

/** The next anchor, over these blocks in the order of their positions. `undefined` where there are none. */
export function sealBlocks(
  previous: AuditHead | undefined,
  blocks: readonly PlacedBlock[],
  atMs: number,
): Anchor | undefined {
  const first = blocks[0];
  const last = blocks.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const tree = new MerkleTree();
  for (const block of blocks) tree.add(blockLeaf(block));
  const anchor = {
    seq: (previous?.seq ?? 0) + 1,
    from: first.position,
    to: last.position,
    blocks: blocks.length,
    root: tree.root,
    prevHash: previous?.hash ?? '',
    atMs,
  };
  return { ...anchor, hash: anchorHash(anchor) };
}

const SEQ_DIGITS = 16;

/** Position of a block in a store whose transactions follow one another: its sequence number. */
export function positionOf(seq: number): string {
  return String(seq).padStart(SEQ_DIGITS, '0');
}
