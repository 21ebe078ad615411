import type { DatabaseSync } from 'node:sqlite';
import {
  type AuditPack,
  BlockPage,
  PackCache,
  type PlacedBlock,
  positionOf,
} from '@redrive/durable/store';
import { type Query, query } from '../database/statement.ts';
import {
  BLOCK_COLUMNS,
  type BlockRow,
  blockOf,
  PACK_COLUMNS,
  type PackRow,
  packOf,
} from './audit-rows.ts';

/** A REAL below all integers, and the greatest of them. */
const BELOW_ALL = -1e19;
const GREATEST = 9_223_372_036_854_775_807n;

/** Reads the blocks of the log: old ones from packs, the others from rows. */
export class BlockLog {
  readonly #rows: Query<BlockRow>;
  readonly #row: Query<BlockRow>;
  readonly #packBehind: Query<PackRow>;
  readonly #packs: Query<PackRow>;
  readonly #cache = new PackCache();

  constructor(db: DatabaseSync) {
    const rows = `SELECT ${BLOCK_COLUMNS}, body FROM audit_blocks`;
    this.#rows = query(db, `${rows} WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`);
    this.#row = query(db, `${rows} WHERE seq = ?`);
    const packs = `SELECT ${PACK_COLUMNS} FROM audit_packs`;
    this.#packBehind = query(
      db,
      `${packs} WHERE to_position > ? ORDER BY to_position, seq LIMIT 1`,
    );
    this.#packs = query(db, `${packs} WHERE seq > ? ORDER BY seq LIMIT ?`);
  }

  /** Blocks after a position (`""`: from the start), in the order of positions, which is the order of numbers. */
  blocks(after: string, limit: number): readonly PlacedBlock[] {
    const page = new BlockPage('position', after, limit);
    for (let pack = this.#behind(after); pack !== undefined; pack = this.#behind(pack.to)) {
      if (!page.wants(pack.from)) break;
      page.add(this.#cache.blocksOf(pack));
    }
    const upTo = page.upTo === undefined ? GREATEST : numberOf(page.upTo);
    page.add(this.#rows.all(numberOf(after), upTo, limit).map(blockOf));
    return page.blocks;
  }

  block(seq: number): PlacedBlock | undefined {
    const row = this.#row.get(seq);
    if (row !== undefined) return blockOf(row);
    const [found] = seq > 0 ? this.blocks(positionOf(seq - 1), 1) : [];
    return found?.seq === seq ? found : undefined;
  }

  packs(after: number | undefined, limit: number): AuditPack[] {
    return this.#packs.all(after ?? BELOW_ALL, limit).map(packOf);
  }

  #behind(position: string): AuditPack | undefined {
    const row = this.#packBehind.get(position);
    return row && packOf(row);
  }
}

/** The number of a position. A text that is not a position (another program wrote it) comes before all others. */
function numberOf(position: string): bigint | number {
  return /^-?\d{1,19}$/.test(position) ? BigInt(position) : BELOW_ALL;
}
