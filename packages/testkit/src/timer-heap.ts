/** A place in the heap. `order` breaks ties, so that timers due together fire in the order they were set. */
export interface HeapEntry {
  readonly atMs: number;
  readonly order: number;
  /** Where the entry sits now; -1 when it is not in the heap. Lets a cancelled timer leave without a search. */
  index: number;
}

/** Timers by due time. Simulations set hundreds of thousands, so that a sorted list would be too slow. */
export class TimerHeap<Entry extends HeapEntry> implements Iterable<Entry> {
  readonly #entries: Entry[] = [];

  get size(): number {
    return this.#entries.length;
  }

  [Symbol.iterator](): Iterator<Entry> {
    return this.#entries.values();
  }

  first(): Entry | undefined {
    return this.#entries[0];
  }

  add(entry: Entry): void {
    this.#place(entry, this.#entries.length);
    this.#rise(entry);
  }

  /** Takes `entry` out; nothing happens if it is out already. */
  remove(entry: Entry): void {
    const hole = entry.index;
    if (hole < 0) return;
    entry.index = -1;
    const last = this.#entries.pop();
    if (last === undefined || last === entry) return;
    this.#place(last, hole);
    this.#rise(last);
    this.#sink(last);
  }

  #place(entry: Entry, index: number): void {
    this.#entries[index] = entry;
    entry.index = index;
  }

  #rise(entry: Entry): void {
    for (;;) {
      const index = entry.index;
      const parent = this.#entries[(index - 1) >> 1];
      if (parent === undefined || !isBefore(entry, parent)) return;
      this.#swap(entry, parent);
    }
  }

  #sink(entry: Entry): void {
    for (;;) {
      const left = this.#entries[2 * entry.index + 1];
      const right = this.#entries[2 * entry.index + 2];
      const child = left && right && isBefore(right, left) ? right : left;
      if (child === undefined || !isBefore(child, entry)) return;
      this.#swap(child, entry);
    }
  }

  #swap(a: Entry, b: Entry): void {
    const index = a.index;
    this.#place(a, b.index);
    this.#place(b, index);
  }
}

function isBefore(a: HeapEntry, b: HeapEntry): boolean {
  return a.atMs === b.atMs ? a.order < b.order : a.atMs < b.atMs;
}
