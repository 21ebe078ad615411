import type { Caller, Calls } from '../thread/protocol.ts';
import type { Writes } from '../writer/writer-tasks.ts';

/** They belong to one thread for several calls, or compress megabytes. */
const APART = /snapshot|^preparePack$/i;

/**
 * The reading thread, which a program may never need: a thread takes as long to start as many programs take to read what
 * they want. As long as no job is changed, no write could wait behind a query, and the writing thread answers queries. The
 * first query after a change starts the reading thread; nothing waits for its start.
 */
export class SharedReader implements Caller {
  readonly #writer: Calls<Writes>;
  readonly #reader: Caller;
  #state: 'shared' | 'wanted' | 'starting' | 'apart' = 'shared';

  /** @param reader starts its thread at its first call. */
  constructor(writer: Calls<Writes>, reader: Caller) {
    this.#writer = writer;
    this.#reader = reader;
  }

  /** From now on queries should not hold up the writing thread. */
  beApart(): void {
    if (this.#state === 'shared') this.#state = 'wanted';
  }

  call<T>(name: string, input?: unknown): Promise<T> {
    if (this.#state === 'apart' || APART.test(name)) return this.#reader.call(name, input);
    if (this.#state === 'wanted') void this.#startReader();
    // The writing thread carries out the same task, which has the type that the caller expects.
    return this.#writer.call('read', { name, input }) as Promise<T>;
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  async #startReader(): Promise<void> {
    this.#state = 'starting';
    try {
      await this.#reader.call('ready');
      this.#state = 'apart';
    } catch {
      // The next query tries again, unless the store is closed.
      this.#state = 'wanted';
    }
  }
}
