/** First in, first out, in constant time: `shift` of an array moves all others. */
export class Queue<T> {
  #items: T[] = [];
  /** Items before it were taken. */
  #first = 0;

  get size(): number {
    return this.#items.length - this.#first;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** Takes the first items, at most `limit`. */
  take(limit: number): T[] {
    const taken = this.#items.slice(this.#first, this.#first + limit);
    this.#first += taken.length;
    if (this.#first > 1_000 && this.#first * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return taken;
  }
}
