import type { Clock } from '@redrive/core';
import {
  type AuditPack,
  type Compressed,
  type CompressOptions,
  compressedInto,
  fillsPack,
  MAX_PACK_BLOCKS,
  type PlacedBlock,
  packBlocksAside,
} from '@redrive/durable/store';
import type { Row, Session, Statement } from '../connect/connection.ts';
import { CLOCK_MS } from '../schema/now.ts';
import { blockColumns, readPlacedBlock } from './anchor-row.ts';
import { POSITION, positionKey } from './position.ts';

/** Blocks that are read at a time: one may hold a thousand records. */
const PAGE = 50;

/** `schema` is quoted, `name` is not. */
export interface CompressorParts {
  readonly schema: string;
  readonly name: string;
  /** For tests: where the time comes from. */
  readonly clock: Clock | undefined;
  readonly ask: (statement: Statement) => Promise<readonly Row[]>;
  readonly transaction: <T>(work: (session: Session) => Promise<T>) => Promise<T>;
}

/**
 * Puts the oldest blocks into a pack. Blocks are never changed, so they are read and compressed before the transaction,
 * while others use the connection. A lock lets one compressor write at a time; if it is taken, this one does nothing. If
 * another compressor has written a pack with the same number since, nothing is written either.
 */
export async function compressOldest(
  parts: CompressorParts,
  { sealedForMs, minBlocks = MAX_PACK_BLOCKS }: CompressOptions,
): Promise<Compressed | undefined> {
  const { schema, name, clock, ask, transaction } = parts;
  const [ends] = await ask({
    // The newest block stays a row: after a restore from a dump, its transaction id shows that a new epoch must begin.
    text: `select (select p.seq from ${schema}.audit_packs p order by p.seq desc limit 1),
        (select p.to_position from ${schema}.audit_packs p order by p.seq desc limit 1),
        (select a.to_position from ${schema}.audit_anchors a where a.seq = (${newestAnchor(schema)})),
        (select ${POSITION} from ${schema}.audit_blocks b order by b.epoch desc, b.xid desc, b.seq desc limit 1)`,
    values: [clock?.now() ?? null, Math.ceil(sealedForMs)],
  });
  const [lastSeq, lastTo, sealedTo, newest] = ends ?? [];
  if (sealedTo === null || sealedTo === undefined) return undefined;
  const range = { after: lastTo ?? '', upTo: sealedTo, before: newest ?? '' };
  const blocks = await oldest(ask, schema, range);
  if (!fillsPack(blocks, minBlocks)) return undefined;
  const pack = await packBlocksAside(Number(lastSeq ?? 0) + 1, blocks);
  if (pack === undefined) return undefined;
  const isWritten = await transaction(async (session) => {
    const [locked] = await session.query({
      name: 'redrive compress_lock',
      text: "select pg_try_advisory_xact_lock(hashtextextended('redrive compress ' || $1, 7))",
      values: [name],
    });
    if (locked?.[0] !== 't') return false;
    // A separate statement, so that it sees all commits from before the lock was taken.
    const [newer] = await session.query({
      text: `select 1 from ${schema}.audit_packs p where p.seq >= $1`,
      values: [pack.seq],
    });
    if (newer !== undefined) return false;
    await write(session, schema, pack);
    return true;
  });
  return isWritten ? compressedInto(pack, blocks) : undefined;
}

/**
 * SQL for the number of the newest anchor that is at least $2 older than the time $1 (null: the server's time). Times grow
 * with the numbers, and numbers have no gaps, so a binary search finds it without an index over times.
 */
function newestAnchor(schema: string): string {
  return `with recursive halves (low, high, until) as (
      select 0::bigint,
        coalesce((select a.seq from ${schema}.audit_anchors a order by a.seq desc limit 1), 0) + 1,
        coalesce($1::bigint, ${CLOCK_MS}) - $2::bigint
      union all
      select case when m.is_old then m.seq else h.low end, case when m.is_old then h.high else m.seq end, h.until
      from halves h cross join lateral (select (h.low + h.high) / 2 as seq,
        (select a.at from ${schema}.audit_anchors a where a.seq = (h.low + h.high) / 2) <= h.until as is_old) m
      where h.high - h.low > 1)
    select low from halves order by high - low limit 1`;
}

/** As many blocks as a pack may hold, and at most one page more. */
async function oldest(
  ask: CompressorParts['ask'],
  schema: string,
  { after, upTo, before }: { after: string; upTo: string; before: string },
): Promise<PlacedBlock[]> {
  const blocks: PlacedBlock[] = [];
  while (!fillsPack(blocks, MAX_PACK_BLOCKS)) {
    const rows = await ask({
      text: `select ${blockColumns('with body')} from ${schema}.audit_blocks b
        where (b.epoch, b.xid, b.seq) > ($1::integer, $2::xid8, $3::bigint)
          and (b.epoch, b.xid, b.seq) <= ($4::integer, $5::xid8, $6::bigint)
          and (b.epoch, b.xid, b.seq) < ($7::integer, $8::xid8, $9::bigint)
        order by b.epoch, b.xid, b.seq limit ${PAGE}`,
      values: [
        ...positionKey(blocks.at(-1)?.position ?? after),
        ...positionKey(upTo),
        ...positionKey(before),
      ],
    });
    if (rows.length === 0) break;
    blocks.push(...rows.map(readPlacedBlock));
  }
  return blocks;
}

async function write(session: Session, schema: string, pack: AuditPack): Promise<void> {
  const { seq, from, to, minSeq, maxSeq, blocks, data, hash } = pack;
  await session.query({
    text: `insert into ${schema}.audit_packs (seq, from_position, to_position, min_seq, max_seq, blocks, data, hash)
      values ($1, $2, $3, $4, $5, $6, decode($7, 'hex'), $8)`,
    values: [seq, from, to, minSeq, maxSeq, blocks, Buffer.from(data).toString('hex'), hash],
  });
  const gone = await session.query({
    text: `delete from ${schema}.audit_blocks b
      where (b.epoch, b.xid, b.seq) >= ($1::integer, $2::xid8, $3::bigint)
        and (b.epoch, b.xid, b.seq) <= ($4::integer, $5::xid8, $6::bigint)
      returning b.seq`,
    values: [...positionKey(from), ...positionKey(to)],
  });
  // Blocks are never changed, so these rows are the packed ones, unless another program writes to the table.
  if (gone.length !== blocks) {
    throw new Error(`${gone.length} rows instead of ${blocks} blocks would be compressed`);
  }
}
