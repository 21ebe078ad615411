import { type Anchor, LEFT_DEAD, type PlacedBlock } from '@redrive/durable/store';
import type { Row } from '../connect/connection.ts';
import { POSITION } from './position.ts';

export const ANCHOR_COLUMNS = 'seq, from_position, to_position, blocks, root, prev_hash, hash, at';

export function readAnchor([seq, from, to, blocks, root, prevHash, hash, at]: Row): Anchor {
  return {
    seq: Number(seq),
    from: from ?? '',
    to: to ?? '',
    blocks: Number(blocks),
    root: root ?? '',
    prevHash: prevHash ?? '',
    hash: hash ?? '',
    atMs: Number(at),
  };
}

/**
 * The columns of a block with its position. A seal reads only bodies that may say that a dead letter left: the hashes
 * cover all of them.
 */
export function blockColumns(body: 'with body' | 'for a seal'): string {
  const read = `case when strpos(b.body, '${LEFT_DEAD}') > 0 then b.body else '' end`;
  return `b.seq, b.writer, b.at, b.prev_hash, b.hash, ${body === 'with body' ? 'b.body' : read}, ${POSITION}`;
}

export function readPlacedBlock([
  seq,
  writer,
  at,
  prevHash,
  hash,
  body,
  position,
]: Row): PlacedBlock {
  return {
    seq: Number(seq),
    writer: writer ?? '',
    atMs: Number(at),
    prevHash: prevHash ?? '',
    hash: hash ?? '',
    body: body ?? '',
    position: position ?? '',
  };
}
