import type { PlacedBlock } from './anchor.ts';
import { type AuditPack, unpackBlocks } from './pack.ts';

/** Packs that are kept unpacked: some megabytes. A reader of a log, page by page, needs the same pack several times. */
const MAX_KEPT = 4;

/** Unpacks, and remembers the last ones. A pack that cannot be read has no blocks here; verification reports it. */
export class PackCache {
  readonly #kept = new Map<string, readonly PlacedBlock[]>();

  blocksOf(pack: AuditPack): readonly PlacedBlock[] {
    // Not by its number alone: a reader may outlive a file that was put in the place of another.
    const key = `${pack.seq} ${pack.hash} ${pack.data.length}`;
    const kept = this.#kept.get(key) ?? unpackBlocks(pack) ?? [];
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return kept;
  }
}
