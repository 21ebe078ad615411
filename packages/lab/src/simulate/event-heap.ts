/** Gets the events that it asked for. `code` is its own word for the kind of event. */
export interface EventTarget {
  wake(code: number): void;
}

/**
 * The pending events of a simulation, by time; events of the same time come in the order in which they were added. Three
 * arrays instead of one of objects: a simulation of ten million attempts would spend a third of its time on garbage.
 */
export class EventHeap {
  #size = 0;
  #added = 0;
  #times = new Float64Array(1_024);
  #orders = new Float64Array(1_024);
  readonly #targets: EventTarget[] = [];
  readonly #codes: number[] = [];

  get size(): number {
    return this.#size;
  }

  /** The time of the first event; `Infinity`: there is none. */
  get nextAtMs(): number {
    return this.#size === 0 ? Infinity : (this.#times[0] ?? Infinity);
  }

  add(atMs: number, target: EventTarget, code: number): void {
    if (this.#size === this.#times.length) this.#grow();
    this.#added += 1;
    const order = this.#added;
    const times = this.#times;
    let hole = this.#size;
    this.#size += 1;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      // A later event never comes before one of the same time: its order is greater than all others.
      if ((times[parent] ?? 0) <= atMs) break;
      this.#move(parent, hole);
      hole = parent;
    }
    this.#place(hole, atMs, order, target, code);
  }

  /** Takes the first event out and gives it to its target. Call it only if `size` is not 0. */
  fire(): void {
    const target = this.#targets[0];
    const code = this.#codes[0] ?? 0;
    this.#removeFirst();
    target?.wake(code);
  }

  #removeFirst(): void {
    this.#size -= 1;
    const last = this.#size;
    const atMs = this.#times[last] ?? 0;
    const order = this.#orders[last] ?? 0;
    const target = this.#targets.pop();
    const code = this.#codes.pop();
    if (last === 0 || target === undefined || code === undefined) return;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= last) break;
      if (child + 1 < last && this.#isBefore(child + 1, child)) child += 1;
      const childAtMs = this.#times[child] ?? 0;
      if (childAtMs > atMs || (childAtMs === atMs && (this.#orders[child] ?? 0) > order)) break;
      this.#move(child, hole);
      hole = child;
    }
    this.#place(hole, atMs, order, target, code);
  }

  #isBefore(a: number, b: number): boolean {
    const atA = this.#times[a] ?? 0;
    const atB = this.#times[b] ?? 0;
    return atA === atB ? (this.#orders[a] ?? 0) < (this.#orders[b] ?? 0) : atA < atB;
  }

  #place(index: number, atMs: number, order: number, target: EventTarget, code: number): void {
    this.#times[index] = atMs;
    this.#orders[index] = order;
    this.#targets[index] = target;
    this.#codes[index] = code;
  }

  #move(from: number, to: number): void {
    this.#times[to] = this.#times[from] ?? 0;
    this.#orders[to] = this.#orders[from] ?? 0;
    this.#targets[to] = this.#targets[from] as EventTarget; // `from` is within the heap.
    this.#codes[to] = this.#codes[from] ?? 0;
  }

  #grow(): void {
    const times = new Float64Array(this.#times.length * 2);
    times.set(this.#times);
    this.#times = times;
    const orders = new Float64Array(times.length);
    orders.set(this.#orders);
    this.#orders = orders;
  }
}
