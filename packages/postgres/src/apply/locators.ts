/** The physical location of the rows that this process has claimed. Only hints: a row may have moved since. */
export class Locators {
  readonly #tids = new Map<string, string>();

  remember(id: string, tid: string): void {
    this.#tids.set(id, tid);
    if (this.#tids.size <= MAX_LOCATORS) return;
    // The oldest entry: its lease was probably lost long ago.
    for (const oldest of this.#tids.keys()) {
      this.#tids.delete(oldest);
      break;
    }
  }

  find(id: string): string | undefined {
    return this.#tids.get(id);
  }

  forget(id: string): void {
    this.#tids.delete(id);
  }
}

const MAX_LOCATORS = 20_000;
