/** The changes of a step so far, each with its undo. */
export class Journal {
  #undo: (() => void)[] | undefined;

  /** Says how to take back a change that is being made. Outside a step there is nothing to take back. */
  changed(undo: () => void): void {
    this.#undo?.push(undo);
  }

  /** Does all of `step` or, when it throws, nothing of it. */
  atomically<T>(step: () => T): T {
    this.#undo = [];
    try {
      return step();
    } catch (error) {
      this.#takeBack();
      throw error;
    } finally {
      this.#undo = undefined;
    }
  }

  #takeBack(): void {
    const undo = this.#undo?.reverse() ?? [];
    this.#undo = undefined;
    for (const takeBack of undo) takeBack();
  }
}
