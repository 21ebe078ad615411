import type { Anchor, AuditHead, PlacedBlock } from './anchor.ts';
import type { AuditRecord } from './audit-block.ts';

export const PROOF_FORMAT = 'redrive/proof/1';

/**
 * The largest number of anchors between a record's own anchor and the head: a little more than a day of uninterrupted
 * work, and about 20 MB. A chain of hashes has no shortcut.
 */
export const MAX_PROOF_LINKS = 100_000;

/** The place of a record: the sequence number of its block, and its index among that block's records, from 0. */
export interface RecordPlace {
  readonly block: number;
  readonly index: number;
}

/** A place from its text, `17.0`. `undefined`: the text is not a place. */
export function recordPlace(text: string): RecordPlace | undefined {
  const [, block, index] = /^(\d{1,15})\.(\d{1,9})$/.exec(text) ?? [];
  return block === undefined ? undefined : { block: Number(block), index: Number(index) };
}

/**
 * The proof that a record is in the log, for a reader who has only a head of it. Every field is either part of a hash
 * between the record and the head, or follows from such a field.
 *
 * A block's hash is over its whole body, so the other records of the same transaction are in it too.
 */
export interface AuditProof {
  readonly format: typeof PROOF_FORMAT;
  readonly record: AuditRecord;
  /** Its place in the block's body, from 0. */
  readonly index: number;
  readonly block: PlacedBlock;
  /** The block's place among those under the anchor, from 0. */
  readonly leaf: number;
  /** The hashes that lead from the block's leaf to the anchor's root, from the bottom up. */
  readonly path: readonly PathStep[];
  readonly anchor: Anchor;
  /** The anchors behind it, up to the head. Empty where its own anchor is the head. */
  readonly chain: readonly ChainLink[];
  readonly head: AuditHead;
}

export interface PathStep {
  /** The side of this hash when it is combined with the hash from below. */
  readonly side: 'left' | 'right';
  readonly hash: string;
}

/** An anchor without its two hashes: they follow from the anchor before. */
export type ChainLink = readonly [
  seq: number,
  from: string,
  to: string,
  blocks: number,
  root: string,
  atMs: number,
];
