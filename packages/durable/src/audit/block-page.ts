import type { PlacedBlock } from './anchor.ts';

/** The order of a page: by positions, or by sequence numbers. */
export type BlockKey = 'position' | 'seq';

/**
 * One page of a log whose blocks are partly in packs and partly in rows. Packs come in the order in which they begin; a
 * row may stand anywhere, because a program with access to the tables can put one there.
 *
 * ```ts
 * for (const pack of packsBehind(after)) { if (!page.wants(pack.from)) break; page.add(unpack(pack)); }
 * page.add(rowsBetween(after, page.upTo));
 * ```
 */
export class BlockPage<Key extends BlockKey> {
  readonly #key: Key;
  readonly #after: PlacedBlock[Key];
  readonly #limit: number;
  #blocks: PlacedBlock[] = [];

  constructor(key: Key, after: PlacedBlock[Key], limit: number) {
    this.#key = key;
    this.#after = after;
    this.#limit = limit;
  }

  /** Whether a pack that begins there can have a block of this page. */
  wants(from: PlacedBlock[Key]): boolean {
    const last = this.upTo;
    return last === undefined || from <= last;
  }

  /** No block behind it belongs to this page; absent: there is room for all. */
  get upTo(): PlacedBlock[Key] | undefined {
    return this.#blocks[this.#limit - 1]?.[this.#key];
  }

  add(blocks: readonly PlacedBlock[]): void {
    const key = this.#key;
    const behind = blocks.filter((block) => block[key] > this.#after);
    // A block that is there twice stays so: verification must see it.
    this.#blocks = [...this.#blocks, ...behind]
      .sort((a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0))
      .slice(0, this.#limit);
  }

  get blocks(): readonly PlacedBlock[] {
    return this.#blocks;
  }
}
