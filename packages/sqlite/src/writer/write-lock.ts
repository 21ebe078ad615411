import type { DatabaseSync } from 'node:sqlite';
import { systemClock } from '@redrive/core';
import { isBusy } from '../database/errcode.ts';
import { pragma, type Statement, statement } from '../database/statement.ts';

/** Between two tries. */
const PAUSE_MS = 1;

/**
 * The file's one write lock. SQLite itself asks for it after waits of up to 100 ms, and may for seconds not meet the
 * moment between two commits of a process that is busy; here it is asked for every millisecond.
 */
export class WriteLock {
  readonly #begin: Statement;
  readonly #patienceMs: number;
  readonly #pause = new Int32Array(new SharedArrayBuffer(4));

  /** Waits for as long as the connection would have. */
  constructor(db: DatabaseSync) {
    this.#patienceMs = Number(pragma(db, 'busy_timeout'));
    db.exec('PRAGMA busy_timeout = 0');
    this.#begin = statement(db, 'BEGIN IMMEDIATE');
  }

  /** Begins a transaction that writes. @throws the error of SQLite, when somebody else has the lock for too long. */
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
