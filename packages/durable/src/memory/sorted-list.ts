/**
 * Longest stretch that is kept in one piece. Inserting moves at most this number of items, however long the list is.
 */
const PIECE = 512;

/** A list that is always in order, in pieces, so that also the hundred-thousandth item finds its place at once. */
export class SortedList<T> implements Iterable<T> {
  /** In order; none of them is empty. */
  readonly #pieces: T[][] = [];
  readonly #compare: (a: T, b: T) => number;
  #size = 0;

  /** `compare` answers 0 for one and the same item only. */
  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#size;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const piece of this.#pieces) yield* piece;
  }

  /** The items in order; with `item`, only items behind it. */
  *forwards(item?: T): Iterable<T> {
    const first = item === undefined ? 0 : this.#pieceFor(item);
    for (let index = first; index < this.#pieces.length; index++) {
      const piece = this.#pieces[index] ?? [];
      let place = item === undefined ? 0 : this.#placeIn(piece, item);
      const at = piece[place];
      if (item !== undefined && at !== undefined && this.#compare(at, item) === 0) place += 1;
      for (; place < piece.length; place++) yield piece[place] as T;
    }
  }

  /** The items in reverse order; with `item`, only items before it. */
  *backwards(item?: T): Iterable<T> {
    for (let index = this.#pieces.length - 1; index >= 0; index--) {
      const piece = this.#pieces[index] ?? [];
      const end = item === undefined ? piece.length : this.#placeIn(piece, item);
      for (let place = end - 1; place >= 0; place--) yield piece[place] as T;
    }
  }

  first(): T | undefined {
    return this.#pieces[0]?.[0];
  }

  /** The item that compares equal. */
  find(item: T): T | undefined {
    const piece = this.#pieces[this.#pieceFor(item)] ?? [];
    const found = piece[this.#placeIn(piece, item)];
    return found !== undefined && this.#compare(found, item) === 0 ? found : undefined;
  }

  add(item: T): void {
    this.#size += 1;
    const index = this.#pieceFor(item);
    const piece = this.#pieces[index];
    if (piece === undefined) {
      this.#pieces.push([item]);
      return;
    }
    piece.splice(this.#placeIn(piece, item), 0, item);
    if (piece.length > PIECE) this.#pieces.splice(index + 1, 0, piece.splice(PIECE >> 1));
  }

  /** Removes the item that compares equal, if there is one. */
  remove(item: T): void {
    if (this.find(item) === undefined) return;
    this.#size -= 1;
    const index = this.#pieceFor(item);
    const piece = this.#pieces[index] ?? [];
    piece.splice(this.#placeIn(piece, item), 1);
    if (piece.length === 0) this.#pieces.splice(index, 1);
  }

  /** Index of the piece that the item belongs into: the last one that does not begin after it. */
  #pieceFor(item: T): number {
    const before = countWhile(this.#pieces, (piece) => this.#compare(piece[0] as T, item) <= 0);
    return Math.max(0, before - 1);
  }

  #placeIn(piece: readonly T[], item: T): number {
    return countWhile(piece, (other) => this.#compare(other, item) < 0);
  }
}

/** How many items at the beginning are so, where all others are not. */
export function countWhile<T>(items: readonly T[], isSo: (item: T) => boolean): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    // Within bounds by the loop's condition.
    if (isSo(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}
