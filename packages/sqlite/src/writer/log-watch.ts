import { type FSWatcher, watch } from 'node:fs';
import { type Clock, systemClock, type Timer } from '@redrive/core';

/**
 * A commit is visible only after its last write to the log and a sync of the disk. The file event of the write may come
 * before that, and the sync has no event. So the watch checks again after each of these waits.
 */
const LOOKS_AFTER_MS = [5, 20, 80];

/**
 * Reports changes of the write-ahead log, so that a process learns of the commits of others without frequent queries. On
 * file systems without events, the poll of idle workers finds them.
 */
export class LogWatch {
  readonly #path: string;
  readonly #look: () => void;
  readonly #clock: Pick<Clock, 'setTimer'>;
  #watcher: FSWatcher | undefined;
  #timer: Timer | undefined;
  /** Number of checks since the last write. */
  #looks = 0;

  constructor(path: string, look: () => void, clock: Pick<Clock, 'setTimer'> = systemClock) {
    this.#path = path;
    this.#look = look;
    this.#clock = clock;
  }

  start(): void {
    if (this.#watcher !== undefined) return;
    try {
      this.#watcher = watch(this.#path, { persistent: false }, () => this.#begin());
      this.#watcher.on('error', () => this.stop());
    } catch {
      // There is no log yet, or the file system has no events: the poll finds changes.
    }
  }

  stop(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #begin(): void {
    this.#looks = 0;
    this.#look();
    // One timer for any number of writes.
    if (this.#timer === undefined) this.#lookLater();
  }

  #lookLater(): void {
    const delayMs = LOOKS_AFTER_MS[this.#looks];
    this.#looks += 1;
    this.#timer =
      delayMs === undefined ? undefined : this.#clock.setTimer(delayMs, () => this.#lookAgain());
    this.#timer?.hold(false);
  }

  #lookAgain(): void {
    this.#look();
    this.#lookLater();
  }
}
