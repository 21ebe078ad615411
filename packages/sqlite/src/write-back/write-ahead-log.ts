import type { DatabaseSync } from 'node:sqlite';
import { type Query, query } from '../database/statement.ts';

/** The answer of SQLite's checkpoint pragma about the write-ahead log, in pages. Both are -1 where there is none. */
type LogAnswer = readonly [busy: number, written: number, writtenBack: number];

export interface LogSize {
  /** Pages that are in the log and not yet in the file. */
  readonly left: number;
  /** Pages since the log began that are in the file. */
  readonly writtenBack: number;
}

/** Asks how much of the log is still to be written back, and writes back. */
export class WriteAheadLog {
  readonly #look: Query<LogAnswer>;
  readonly #writeBack: Query<LogAnswer>;

  constructor(db: DatabaseSync) {
    this.#look = query(db, 'PRAGMA wal_checkpoint(NOOP)');
    this.#writeBack = query(db, 'PRAGMA wal_checkpoint(PASSIVE)');
  }

  size(): LogSize {
    const [, written, writtenBack] = this.#look.get() ?? [0, -1, -1];
    return { left: written - writtenBack, writtenBack };
  }

  /** Writes back all that no reader needs in the log. Waits for nobody: if another connection is at it, does nothing. */
  writeBack(): void {
    this.#writeBack.get();
  }
}
