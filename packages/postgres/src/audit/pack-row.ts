import type { AuditPack } from '@redrive/durable/store';
import type { Row } from '../connect/connection.ts';

/** The columns of a pack. Bytes are selected as text, so that type parsers of the application do not matter. */
export const PACK_COLUMNS =
  "p.seq, p.from_position, p.to_position, p.min_seq, p.max_seq, p.blocks, encode(p.data, 'hex'), p.hash";

export function readPack([seq, from, to, minSeq, maxSeq, blocks, data, hash]: Row): AuditPack {
  return {
    seq: Number(seq),
    from: from ?? '',
    to: to ?? '',
    minSeq: Number(minSeq),
    maxSeq: Number(maxSeq),
    blocks: Number(blocks),
    data: Buffer.from(data ?? '', 'hex'),
    hash: hash ?? '',
  };
}
