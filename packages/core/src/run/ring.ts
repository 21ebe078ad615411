/** A place in a ring. Alone, it is its own neighbour. */
export interface Link {
  before: Link;
  after: Link;
}

/**
 * A doubly linked ring of things that are links themselves, oldest first. A `Set` would do, but calls enter and leave
 * one all the time, and here both are a few pointer writes. The ring is the link that closes it.
 */
export class Ring<T extends Link> implements Link {
  before: Link;
  after: Link;

  constructor() {
    this.before = this;
    this.after = this;
  }

  add(link: T): void {
    link.before = this.before;
    link.after = this;
    this.before.after = link;
    this.before = link;
  }

  get oldest(): T | undefined {
    // Only add() puts links in, and those are Ts.
    return this.after === this ? undefined : (this.after as T);
  }
}

/** Takes a link out of the ring it is in; harmless when it is out already. */
export function unlink(link: Link): void {
  link.before.after = link.after;
  link.after.before = link.before;
  link.before = link;
  link.after = link;
}
