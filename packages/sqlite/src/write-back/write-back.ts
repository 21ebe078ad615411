import type { DatabaseSync } from 'node:sqlite';
import { type Clock, systemClock } from '@redrive/core';
import { type Query, query } from '../database/statement.ts';
import type { Calls } from '../thread/protocol.ts';
import type { WriteBackTasks } from './write-back-tasks.ts';

/** The answer of SQLite's checkpoint pragma about the write-ahead log, in pages. Both are -1 where there is none. */
type LogAnswer = readonly [busy: number, written: number, writtenBack: number];

interface LogSize {
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

/** As SQLite itself would: about 4 MB. */
const WORTHWHILE_PAGES = 1_000;
/** More would hold up the commits behind it for longer than about a tenth of a second. */
export const MAX_PAGES_AT_ONCE = 10_000;
/** While somebody reads in a long transaction, asking more often brings nothing. */
const ASK_EVERY_MS = 1_000;

/**
 * Writes the log back between two commits while little is left, and asks for help when it is much: after a long read
 * transaction it can be gigabytes, and SQLite's own way is to write all of them back inside the next commit.
 */
export class WriteBack {
  readonly #log: WriteAheadLog;
  readonly #askForHelp: () => void;
  readonly #clock: Pick<Clock, 'now'>;
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(db: DatabaseSync, askForHelp: () => void, clock: Pick<Clock, 'now'> = systemClock) {
    // From here on it is done here.
    db.exec('PRAGMA wal_autocheckpoint = 0');
    this.#log = new WriteAheadLog(db);
    this.#askForHelp = askForHelp;
    this.#clock = clock;
  }

  afterCommit(): void {
    try {
      const { left } = this.#log.size();
      if (left < WORTHWHILE_PAGES) return;
      if (left <= MAX_PAGES_AT_ONCE) this.#log.writeBack();
      else this.#ask();
    } catch {
      // The commit has happened, and its pages are safe in the log: the next one tries again.
    }
  }

  #ask(): void {
    const nowMs = this.#clock.now();
    // Also when the clock was set back.
    if (Math.abs(nowMs - this.#askedAtMs) < ASK_EVERY_MS) return;
    this.#askedAtMs = nowMs;
    this.#askForHelp();
  }
}

/** Has a large log written back by a thread of its own, once at a time. */
export class WriteBackHelper {
  readonly #thread: Calls<WriteBackTasks>;
  #isAtWork = false;

  constructor(thread: Calls<WriteBackTasks>) {
    this.#thread = thread;
  }

  /** Nobody waits for it, and the writer asks again while it is needed. */
  help(): void {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    const done = (): void => {
      this.#isAtWork = false;
    };
    this.#thread.call('writeBack').then(done, done);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
