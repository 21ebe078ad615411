import type { DatabaseSync } from 'node:sqlite';
import { systemClock } from '@redrive/core';
import { isBusy, pragma, type Statement, statement } from '../database/statement.ts';

/** The wait between two tries. */
const PAUSE_MS = 1;

/**
 * The file's one write lock. SQLite itself tries again after waits of up to 100 ms, and can miss the moments between the
 * commits of a busy process for seconds. This class tries every millisecond.
 */
export class WriteLock {
  readonly #begin: Statement;
  readonly #patienceMs: number;
  readonly #pause = new Int32Array(new SharedArrayBuffer(4));

  /** Waits at most the connection's busy timeout. */
  constructor(db: DatabaseSync) {
    this.#patienceMs = Number(pragma(db, 'busy_timeout'));
    db.exec('PRAGMA busy_timeout = 0');
    this.#begin = statement(db, 'BEGIN IMMEDIATE');
  }

  /** Begins a write transaction. @throws the error of SQLite if another connection holds the lock for too long. */
  begin(): void {
    const untilMs = systemClock.monotonic() + this.#patienceMs;
    for (;;) {
      try {
        this.#begin.run();
        return;
      } catch (error) {
        if (!isBusy(error) || systemClock.monotonic() >= untilMs) throw error;
        Atomics.wait(this.#pause, 0, 0, PAUSE_MS);
      }
    }
  }
}
