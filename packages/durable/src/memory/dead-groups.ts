import type { ActGroup } from '../store/commands.ts';
import type { Journal } from './journal.ts';

/** The causes of dead letters: a pattern for each fingerprint, and how many jobs have it. */
export class DeadGroups {
  readonly #patterns = new Map<string, string>();
  readonly #members = new Map<string, number>();
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  patternOf(fingerprint: string): string | undefined {
    return this.#patterns.get(fingerprint);
  }

  /**
   * Makes a group known. The first pattern stays, because others differ in the case of letters at most; unless people gave
   * it another name.
   */
  add({ fingerprint, pattern, rename = false }: ActGroup): void {
    const before = this.#patterns.get(fingerprint);
    if (before !== undefined && !rename) return;
    this.#journal.changed(() => {
      if (before === undefined) this.#patterns.delete(fingerprint);
      else this.#patterns.set(fingerprint, before);
    });
    this.#patterns.set(fingerprint, pattern);
  }

  /** Follows a job that comes into a group or leaves it. */
  count(fingerprint: string | undefined, by: 1 | -1): void {
    if (fingerprint === undefined) return;
    const members = (this.#members.get(fingerprint) ?? 0) + by;
    if (members === 0) this.#members.delete(fingerprint);
    else this.#members.set(fingerprint, members);
  }

  /** Forgets groups without members. */
  prune(): void {
    for (const [fingerprint, pattern] of this.#patterns) {
      if (this.#members.has(fingerprint)) continue;
      this.#journal.changed(() => void this.#patterns.set(fingerprint, pattern));
      this.#patterns.delete(fingerprint);
    }
  }
}
