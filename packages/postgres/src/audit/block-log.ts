import { type AuditPack, BlockPage, PackCache, type PlacedBlock } from '@redrive/durable/store';
import type { Row, Statement } from '../connect/connection.ts';
import { blockColumns, readPlacedBlock } from './anchor-row.ts';
import { keyOfPacked, positionKey } from './position.ts';

/** Reads the blocks of the log: old ones from packs, the others from rows. */
export class BlockLog {
  readonly #rows: (statement: Statement) => Promise<readonly Row[]>;
  readonly #schema: string;
  readonly #cache = new PackCache();

  /** `schema`: quoted. */
  constructor(schema: string, rows: (statement: Statement) => Promise<readonly Row[]>) {
    this.#schema = schema;
    this.#rows = rows;
  }

  /** Blocks after a position (`""`: from the start), in the order of positions. */
  async byPosition(after: string, limit: number): Promise<readonly PlacedBlock[]> {
    const page = new BlockPage('position', after, limit);
    const key = after === '' ? positionKey('') : keyOfPacked(after);
    for (let behind = after; ; ) {
      // In this order packs do not overlap.
      const pack = await this.#pack('p.to_position > $1 order by p.to_position, p.seq', [behind]);
      if (pack === undefined || !page.wants(pack.from)) break;
      page.add(this.#cache.blocksOf(pack));
      behind = pack.to;
    }
    const { upTo } = page;
    // A bound of the index. As a filter, every page would read all later rows.
    const bound = ' and (b.epoch, b.xid, b.seq) <= ($5::integer, $6::xid8, $7::bigint)';
    const rows = await this.#rows({
      text: `select ${blockColumns('with body')} from ${this.#schema}.audit_blocks b
        where (b.epoch, b.xid, b.seq) > ($1::integer, $2::xid8, $3::bigint)${upTo === undefined ? '' : bound}
        order by b.epoch, b.xid, b.seq limit $4`,
      values: [...key, limit, ...(upTo === undefined ? [] : keyOfPacked(upTo))],
    });
    page.add(rows.map(readPlacedBlock));
    return page.blocks;
  }

  /** Blocks with sequence numbers above the given one, in their order. */
  async bySeq(after: number, limit: number): Promise<readonly PlacedBlock[]> {
    const page = new BlockPage('seq', after, limit);
    // A block of a long transaction has a number far from its neighbours', so packs overlap in this order.
    for (let [from, seq] = [-1, 0]; ; ) {
      const pack = await this.#pack(
        'p.max_seq > $1 and (p.min_seq, p.seq) > ($2::bigint, $3::bigint) order by p.min_seq, p.seq',
        [after, from, seq],
      );
      if (pack === undefined || !page.wants(pack.minSeq)) break;
      page.add(this.#cache.blocksOf(pack));
      [from, seq] = [pack.minSeq, pack.seq];
    }
    const rows = await this.#rows({
      name: 'redrive audit_blocks',
      text: `select ${blockColumns('with body')} from ${this.#schema}.audit_blocks b
        where b.seq > $1 and ($2::bigint is null or b.seq <= $2) order by b.seq limit $3`,
      values: [after, page.upTo ?? null, limit],
    });
    page.add(rows.map(readPlacedBlock));
    return page.blocks;
  }

  async block(seq: number): Promise<PlacedBlock | undefined> {
    const [found] = await this.bySeq(seq - 1, 1);
    return found?.seq === seq ? found : undefined;
  }

  async packs(after: number | undefined, limit: number): Promise<readonly AuditPack[]> {
    const rows = await this.#rows({
      text: `select ${PACK_COLUMNS} from ${this.#schema}.audit_packs p
        where $1::bigint is null or p.seq > $1 order by p.seq limit $2`,
      values: [after ?? null, limit],
    });
    return rows.map(readPack);
  }

  async #pack(where: string, values: readonly (string | number)[]): Promise<AuditPack | undefined> {
    const [row] = await this.#rows({
      text: `select ${PACK_COLUMNS} from ${this.#schema}.audit_packs p where ${where} limit 1`,
      values,
    });
    return row && readPack(row);
  }
}

/** The columns of a pack. Bytes are selected as text, so that type parsers of the application do not matter. */
const PACK_COLUMNS =
  "p.seq, p.from_position, p.to_position, p.min_seq, p.max_seq, p.blocks, encode(p.data, 'hex'), p.hash";

function readPack([seq, from, to, minSeq, maxSeq, blocks, data, hash]: Row): AuditPack {
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
