/**
 * Numbers sessions from 0 by their names, without keeping the names: 12 bytes a session. Two names share a number if
 * both of their 32-bit hashes agree, which is one chance in 37 million with a million sessions.
 */
export class SessionIndex {
  #slots = new Int32Array(1 << 12).fill(-1);
  #first = new Uint32Array(1 << 11);
  #second = new Uint32Array(1 << 11);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  numberOf(name: string): number {
    const first = hash(name, 0x811c9dc5);
    const second = hash(name, 0x2f9be6cc);
    let slot = this.#slotOf(first, second);
    const known = this.#slots[slot] ?? -1;
    if (known >= 0) return known;
    if (this.#size === this.#first.length) {
      this.#grow();
      slot = this.#slotOf(first, second);
    }
    this.#first[this.#size] = first;
    this.#second[this.#size] = second;
    this.#slots[slot] = this.#size;
    this.#size += 1;
    return this.#size - 1;
  }

  /** The slot of a session, or the free one where it belongs. */
  #slotOf(first: number, second: number): number {
    const mask = this.#slots.length - 1;
    let slot = (first ^ (second >>> 7)) & mask;
    for (;;) {
      const at = this.#slots[slot] ?? -1;
      if (at < 0 || (this.#first[at] === first && this.#second[at] === second)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const [first, second] = [this.#first, this.#second];
    this.#first = new Uint32Array(first.length * 2);
    this.#second = new Uint32Array(second.length * 2);
    this.#first.set(first);
    this.#second.set(second);
    this.#slots = new Int32Array(this.#first.length * 2).fill(-1);
    for (let at = 0; at < this.#size; at += 1) {
      this.#slots[this.#slotOf(first[at] ?? 0, second[at] ?? 0)] = at;
    }
  }
}

/** FNV-1a over UTF-16 code units, with a last mix of bits. */
function hash(text: string, seed: number): number {
  let value = seed;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 15), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}
