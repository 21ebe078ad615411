import type { Caller } from '../thread/caller.ts';

/** Has a large log written back by a thread of its own, once at a time. */
export class WriteBackHelper {
  readonly #thread: Caller;
  #isAtWork = false;

  constructor(thread: Caller) {
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
