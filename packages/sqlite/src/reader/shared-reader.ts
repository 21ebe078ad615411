import type { Caller, Calls } from '../thread/protocol.ts';
import type { Writes } from '../writer/writer-tasks.ts';

/** They belong to one thread for several calls, or compress megabytes. */
const APART = /snapshot|^preparePack$/i;

/**
 * The reading thread, which a program may never need: a thread takes as long to start as many programs take to read what
 * they want. Until the store is used for jobs, no write could wait behind a query, so the writing thread answers queries
 * as well.
 */
export class SharedReader implements Caller {
  readonly #writer: Calls<Writes>;
  readonly #reader: Caller;
  #isApart = false;

  /** @param reader starts its thread at its first call. */
  constructor(writer: Calls<Writes>, reader: Caller) {
    this.#writer = writer;
    this.#reader = reader;
  }

  /** From now on queries must not hold up the writing thread. */
  beApart(): void {
    this.#isApart = true;
  }

  call<T>(name: string, input?: unknown): Promise<T> {
    if (this.#isApart || APART.test(name)) return this.#reader.call(name, input);
    // The writing thread carries out the same task, which has the type that the caller expects.
    return this.#writer.call('read', { name, input }) as Promise<T>;
  }

  close(): Promise<void> {
    return this.#reader.close();
  }
}
