import type { DatabaseSync } from 'node:sqlite';
import { type Clock, systemClock } from '@redrive/core';
import { WriteAheadLog } from './write-ahead-log.ts';

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
