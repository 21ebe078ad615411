import type { DatabaseSync } from 'node:sqlite';
import type { Anchor, AuditPack, JobLookup, PlacedBlock } from '@redrive/durable/store';
import { type Query, query } from '../database/statement.ts';
import type { FoundPolicy } from '../reader/reader.ts';
import { ANCHOR_COLUMNS, type AnchorRow, anchorOf } from './audit-rows.ts';
import { BlockLog } from './block-log.ts';
import { LOOKUP_SQL, type LookupRow, lookupOf } from './lookup-row.ts';

/** A REAL below all integers. */
const BELOW_ALL = -1e19;

/** A connection with one read transaction: it shows the state at the start of the transaction. */
export class Snapshot {
  readonly #db: DatabaseSync;
  readonly #anchors: Query<AnchorRow>;
  readonly #head: Query<AnchorRow>;
  readonly #log: BlockLog;
  readonly #lookups: Query<LookupRow>;
  readonly #policy: Query<[id: string, policy: string]>;

  /** The snapshot owns the connection and closes it. */
  constructor(db: DatabaseSync) {
    this.#db = db;
    const anchors = `SELECT ${ANCHOR_COLUMNS} FROM audit_anchors`;
    this.#anchors = query(db, `${anchors} WHERE seq > ? ORDER BY seq LIMIT ?`);
    this.#head = query(db, `${anchors} ORDER BY seq DESC LIMIT 1`);
    this.#log = new BlockLog(db);
    this.#lookups = query(db, LOOKUP_SQL);
    this.#policy = query(db, 'SELECT id, policy FROM policies WHERE hash = ?');
    db.exec('BEGIN');
    // SQLite takes the snapshot at the first query.
    this.head();
  }

  anchors(after: number | undefined, limit: number): Anchor[] {
    return this.#anchors.all(after ?? BELOW_ALL, limit).map(anchorOf);
  }

  head(): Anchor | undefined {
    const row = this.#head.get();
    return row && anchorOf(row);
  }

  packs(after: number | undefined, limit: number): AuditPack[] {
    return this.#log.packs(after, limit);
  }

  blocks(after: string, limit: number): readonly PlacedBlock[] {
    return this.#log.blocks(after, limit);
  }

  block(seq: number): PlacedBlock | undefined {
    return this.#log.block(seq);
  }

  lookups(after: string, limit: number): JobLookup[] {
    return this.#lookups.all(after, limit).map(lookupOf);
  }

  policy(hash: string): FoundPolicy | undefined {
    const [id, policy] = this.#policy.get(hash) ?? [];
    return id === undefined || policy === undefined ? undefined : { id, policy };
  }

  close(): void {
    this.#db.close();
  }
}
