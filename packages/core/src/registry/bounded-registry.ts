/** Keys come from user code, which may use a URL with an id as a dependency: memory must not grow with them. */
export const MAX_KEYS = 10_000;

/** The loss if an entry is dropped: 0 nothing, 1 counts, 2 an act of an operator, which must not be dropped. */
export type Loss = 0 | 1 | 2;

/** At most `MAX_KEYS` entries by name. When full, it drops an entry with the smallest loss. */
export class BoundedRegistry<T> {
  readonly #entries = new Map<string, T>();
  readonly #lossOf: (value: T) => Loss;

  constructor(lossOf: (value: T) => Loss) {
    this.#lossOf = lossOf;
  }

  get(key: string): T | undefined {
    return this.#entries.get(key);
  }

  /** Adds an entry that `get` did not find. */
  add(key: string, value: T): T {
    if (this.#entries.size >= MAX_KEYS) this.#makeRoom();
    this.#entries.set(key, value);
    return value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  values(): T[] {
    return [...this.#entries.values()];
  }

  /** Drops the oldest entry with nothing to lose, else the oldest that may go. */
  #makeRoom(): void {
    let victim: string | undefined;
    for (const [key, value] of this.#entries) {
      const loss = this.#lossOf(value);
      if (loss === 2) continue;
      victim ??= key;
      if (loss === 1) continue;
      victim = key;
      break;
    }
    if (victim !== undefined) this.#entries.delete(victim);
  }
}
