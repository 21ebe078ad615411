import { type Clock, systemClock } from '@redrive/core';
import {
  type Anchor,
  type Compressed,
  type CompressOptions,
  MAX_SEGMENT_BLOCKS,
  removedLetters,
  type Sealed,
  sealBlocks,
} from '@redrive/durable/store';
import type { Row, Session, Statement } from '../connect/connection.ts';
import { pause } from '../connect/pause.ts';
import type { RunOn } from '../query/reader.ts';
import { CLOCK_MS } from '../schema/now.ts';
import { ANCHOR_COLUMNS, blockColumns, readAnchor, readPlacedBlock } from './anchor-row.ts';
import { compressOldest } from './compressor.ts';
import { positionKey } from './position.ts';

export interface SealerOptions {
  readonly run: RunOn;
  readonly schema: string;
  /** For tests: where the time comes from. */
  readonly clock: Clock | undefined;
  readonly timeoutMs: number;
}

/** How long a seal waits for transactions that were running when it began. Most end within a few milliseconds. */
const PATIENCE_MS = 100;
const LOOK_EVERY_MS = 5;

/**
 * Blocks after a position that can be sealed. Blocks of earlier epochs come first, whatever their transaction ids. Both
 * bounds use the index, because many blocks may follow a transaction that is still open.
 */
export function unsealedSql(schema: string): string {
  return `select ${blockColumns('for a seal')} from ${schema}.audit_blocks b
    where (b.epoch, b.xid, b.seq) > ($1::integer, $2::xid8, $3::bigint)
      and (b.epoch, b.xid, b.seq) < (
        (select e.epoch from ${schema}.epochs e), pg_snapshot_xmin(pg_current_snapshot()), 0::bigint)
    order by b.epoch, b.xid, b.seq limit ${MAX_SEGMENT_BLOCKS}`;
}

/**
 * Writes anchors over blocks. A block can be sealed when its transaction id is below that of the oldest running
 * transaction: all such transactions have ended, and new ones have higher ids. So a seal covers all blocks that were
 * committed when it began, unless an older transaction is still open; then a later seal covers them.
 */
export class Sealer {
  readonly #options: SealerOptions;
  readonly #schema: string;

  constructor(options: SealerOptions) {
    this.#options = options;
    this.#schema = `"${options.schema}"`;
  }

  async seal(): Promise<Sealed | undefined> {
    if (!(await this.#hasUnsealed())) return undefined;
    return this.#transaction((session) => this.#seal(session));
  }

  compress(options: CompressOptions): Promise<Compressed | undefined> {
    const { schema: name, clock, run, timeoutMs } = this.#options;
    const parts = {
      schema: this.#schema,
      name,
      clock,
      ask: (statement: Statement) => run((session) => session.query(statement), timeoutMs),
      transaction: <T>(work: (session: Session) => Promise<T>) => this.#transaction(work),
    };
    return compressOldest(parts, options);
  }

  #transaction<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const { run, timeoutMs } = this.#options;
    return run(async (session) => {
      await session.query({ text: 'begin' });
      try {
        const result = await work(session);
        await session.query({ text: 'commit' });
        return result;
      } catch (error) {
        await session.query({ text: 'rollback' });
        throw error;
      }
    }, timeoutMs);
  }

  async #seal(session: Session): Promise<Sealed | undefined> {
    const [locked] = await session.query({
      name: 'redrive seal_lock',
      text: "select pg_try_advisory_xact_lock(hashtextextended('redrive seal ' || $1, 7))",
      values: [this.#options.schema],
    });
    if (locked?.[0] !== 't') return undefined;
    const previous = await this.#newestAnchor(session);
    const rows = await session.query({
      name: 'redrive unsealed_blocks',
      text: unsealedSql(this.#schema),
      values: positionKey(previous?.to ?? ''),
    });
    const blocks = rows.map(readPlacedBlock);
    const anchor = sealBlocks(previous, blocks, await this.#now(session));
    if (anchor === undefined) return undefined;
    await this.#write(session, anchor);
    const removed = removedLetters(blocks);
    return removed ? { ...anchor, removed } : anchor;
  }

  /**
   * Waits until the committed blocks can be sealed, for a limited time. Returns whether there are blocks to seal. Others may
   * use the connection between two checks.
   */
  async #hasUnsealed(): Promise<boolean> {
    const { run, timeoutMs } = this.#options;
    const untilMs = systemClock.monotonic() + PATIENCE_MS;
    const newest = await run((session) => this.#newestUnsealed(session), timeoutMs);
    if (newest === undefined) return false;
    while (!(await run((session) => this.#canBeSealed(session, newest), timeoutMs))) {
      if (systemClock.monotonic() >= untilMs) return true;
      await pause(LOOK_EVERY_MS);
    }
    return true;
  }

  /** Epoch and transaction of the newest block after the newest anchor. */
  async #newestUnsealed(session: Session): Promise<Row | undefined> {
    await session.query({ text: `select ${this.#schema}.check_epoch()` });
    const previous = await this.#newestAnchor(session);
    const [newest] = await session.query({
      name: 'redrive newest_block',
      text: `select b.epoch, b.xid::text from ${this.#schema}.audit_blocks b
        where (b.epoch, b.xid, b.seq) > ($1::integer, $2::xid8, $3::bigint)
        order by b.epoch desc, b.xid desc, b.seq desc limit 1`,
      values: positionKey(previous?.to ?? ''),
    });
    return newest;
  }

  async #canBeSealed(session: Session, block: Row): Promise<boolean> {
    const [row] = await session.query({
      name: 'redrive has_ended',
      text: `select $2::xid8 < pg_snapshot_xmin(pg_current_snapshot()) or $1::integer < e.epoch
        from ${this.#schema}.epochs e`,
      values: block,
    });
    return row?.[0] === 't';
  }

  async #newestAnchor(session: Session): Promise<Anchor | undefined> {
    const [newest] = await session.query({
      name: 'redrive newest_anchor',
      text: `select ${ANCHOR_COLUMNS} from ${this.#schema}.audit_anchors order by seq desc limit 1`,
    });
    return newest && readAnchor(newest);
  }

  async #now(session: Session): Promise<number> {
    const { clock } = this.#options;
    if (clock !== undefined) return clock.now();
    const [row] = await session.query({
      name: 'redrive now',
      text: `select ${CLOCK_MS}`,
    });
    return Number(row?.[0]);
  }

  async #write(session: Session, anchor: Anchor): Promise<void> {
    const { seq, from, to, blocks, root, prevHash, hash, atMs } = anchor;
    await session.query({
      name: 'redrive write_anchor',
      text: `insert into ${this.#schema}.audit_anchors (${ANCHOR_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      values: [seq, from, to, blocks, root, prevHash, hash, atMs],
    });
  }
}
