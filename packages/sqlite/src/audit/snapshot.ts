import type { DatabaseSync } from 'node:sqlite';
import { RedriveError } from '@redrive/core';
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

/** Each snapshot has its own connection, and keeps the write-ahead log from being emptied. */
const MAX_OPEN = 20;

export interface Of {
  readonly snapshot: number;
}

export interface PageOf<After> extends Of {
  readonly after: After;
  readonly limit: number;
}

/** The tasks of the reading thread about snapshots. `open` makes a new connection. */
export function snapshotTasks(open: () => DatabaseSync) {
  const snapshots = new Map<number, Snapshot>();
  let last = 0;

  function find({ snapshot }: Of): Snapshot {
    const found = snapshots.get(snapshot);
    if (found !== undefined) return found;
    throw new RedriveError(
      'store_unavailable',
      'This reader of the audit log is closed. A reader is closed after a minute without a read.',
    );
  }

  function end({ snapshot }: Of): void {
    snapshots.get(snapshot)?.close();
    snapshots.delete(snapshot);
  }

  return {
    tasks: {
      beginSnapshot: (): number => {
        if (snapshots.size >= MAX_OPEN) {
          throw new RedriveError(
            'store_unavailable',
            `${MAX_OPEN} readers of the audit log are open, which is the limit: close readers that are no longer needed.`,
            { open: MAX_OPEN },
          );
        }
        last += 1;
        snapshots.set(last, new Snapshot(open()));
        return last;
      },
      snapshotAnchors: (page: PageOf<number | undefined>) =>
        find(page).anchors(page.after, page.limit),
      snapshotHead: (of: Of) => find(of).head(),
      snapshotPacks: (page: PageOf<number | undefined>) => find(page).packs(page.after, page.limit),
      snapshotBlocks: (page: PageOf<string>) => find(page).blocks(page.after, page.limit),
      snapshotBlock: (of: Of & { readonly seq: number }) => find(of).block(of.seq),
      snapshotLookups: (page: PageOf<string>) => find(page).lookups(page.after, page.limit),
      snapshotPolicy: (of: Of & { readonly hash: string }) => find(of).policy(of.hash),
      endSnapshot: end,
    },
    endAll(): void {
      for (const snapshot of [...snapshots.keys()]) end({ snapshot });
    },
  };
}
