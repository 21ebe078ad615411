import { type FSWatcher, watch } from 'node:fs';
import { type Clock, systemClock, type Timer } from '@redrive/core';

/**
 * A commit can be seen only after its last write to the log, and behind a sync of the disk: what is told of the write may
 * come too early, and nothing is told of the rest. So it is looked again, so long after each other.
 */
const LOOKS_AFTER_MS = [5, 20, 80];

/**
 * Tells when the write-ahead log has changed: that is how a process learns of what others commit, without asking again
 * and again. The poll of idle workers stands behind it, for file systems that tell nothing.
 */
export class LogWatch {
  readonly #path: string;
  readonly #look: () => void;
  readonly #clock: Pick<Clock, 'setTimer'>;
  #watcher: FSWatcher | undefined;
  #timer: Timer | undefined;
  /** How often it was looked again since the last write. */
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
      // No log yet, or no such service: the poll will do.
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
    // One timer, however many writes there are.
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
