/** A list that is always in order. Built for what mostly grows at its end: a new item is looked up, not sorted in. */
export class SortedList<T> implements Iterable<T> {
  readonly #items: T[] = [];
  readonly #compare: (a: T, b: T) => number;

  /** `compare` answers 0 for one and the same item only. */
  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#items.values();
  }

  first(): T | undefined {
    return this.#items[0];
  }

  at(index: number): T | undefined {
    return this.#items[index];
  }

  /** The item that compares equal. */
  find(item: T): T | undefined {
    const found = this.#items[this.place(item)];
    return found !== undefined && this.#compare(found, item) === 0 ? found : undefined;
  }

  add(item: T): void {
    this.#items.splice(this.place(item), 0, item);
  }

  /** Takes the item out that compares equal; nothing happens where there is none. */
  remove(item: T): void {
    const index = this.place(item);
    const found = this.#items[index];
    if (found !== undefined && this.#compare(found, item) === 0) this.#items.splice(index, 1);
  }

  /** How many items stand before this one. */
  place(item: T): number {
    let low = 0;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      // Within bounds by the loop's condition.
      if (this.#compare(this.#items[middle] as T, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
