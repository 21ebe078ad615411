import type { Anchor, AuditBlock, AuditPack, PlacedBlock } from '@redrive/durable/store';

/** Selects an integer as a number. An integer beyond 2^53 is rounded instead of failing: another program wrote it. */
export function numberSql(column: string): string {
  const most = Number.MAX_SAFE_INTEGER;
  return `CASE WHEN ${column} BETWEEN -${most} AND ${most} THEN ${column} ELSE CAST(${column} AS REAL) END`;
}

/** The position of a block, as `positionOf` makes it; also for numbers that `positionOf` refuses. */
const POSITION = `printf('%016d', seq)`;

export type AnchorRow = [
  seq: number,
  from: string,
  to: string,
  blocks: number,
  root: string,
  prevHash: string,
  hash: string,
  at: number,
];

export const ANCHOR_COLUMNS = `${numberSql('seq')}, from_position, to_position, ${numberSql('blocks')}, root, prev_hash,
  hash, ${numberSql('at')}`;

export function anchorOf([seq, from, to, blocks, root, prevHash, hash, atMs]: AnchorRow): Anchor {
  return { seq, from, to, blocks, root, prevHash, hash, atMs };
}

export type BlockRow = [
  seq: number,
  writer: string,
  at: number,
  prevHash: string,
  hash: string,
  position: string,
  body: string,
];

/** The columns of a block without its body, which is read last. */
export const BLOCK_COLUMNS = `${numberSql('seq')}, writer, ${numberSql('at')}, prev_hash, hash, ${POSITION}`;

export function blockOf([
  seq,
  writer,
  atMs,
  prevHash,
  hash,
  position,
  body,
]: BlockRow): PlacedBlock {
  return { seq, writer, atMs, prevHash, hash, position, body } satisfies AuditBlock & PlacedBlock;
}

export type PackRow = [
  seq: number,
  from: string,
  to: string,
  minSeq: number,
  maxSeq: number,
  blocks: number,
  data: Uint8Array,
  hash: string,
];

export const PACK_COLUMNS = `${numberSql('seq')}, from_position, to_position, ${numberSql('min_seq')},
  ${numberSql('max_seq')}, ${numberSql('blocks')}, data, hash`;

export function packOf([seq, from, to, minSeq, maxSeq, blocks, data, hash]: PackRow): AuditPack {
  return { seq, from, to, minSeq, maxSeq, blocks, data, hash };
}
