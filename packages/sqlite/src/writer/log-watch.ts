import { type FSWatcher, watch } from 'node:fs';

/**
 * Tells when the write-ahead log has changed: that is how a process learns of what others commit, without asking again
 * and again. The poll of idle workers stands behind it, for file systems that tell nothing.
 */
export class LogWatch {
  readonly #path: string;
  readonly #onChange: () => void;
  #watcher: FSWatcher | undefined;

  constructor(path: string, onChange: () => void) {
    this.#path = path;
    this.#onChange = onChange;
  }

  start(): void {
    if (this.#watcher !== undefined) return;
    try {
      this.#watcher = watch(this.#path, { persistent: false }, () => this.#onChange());
      this.#watcher.on('error', () => this.stop());
    } catch {
      // No log yet, or no such service: the poll will do.
    }
  }

  stop(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}
