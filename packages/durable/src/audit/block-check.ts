import { LEAF_WRITER, type PlacedBlock } from './anchor.ts';
import type { AuditProblems } from './audit-problem.ts';
import { blockHash } from './encode-block.ts';

/** Looks at blocks in the order of their positions: each by itself, and each as the next link of its writer's chain. */
export class BlockCheck {
  readonly #problems: AuditProblems;
  /** Writer to the hash of its last block. */
  readonly #chains = new Map<string, string>();
  #position = '';

  constructor(problems: AuditProblems) {
    this.#problems = problems;
  }

  /** Position of the last block. */
  get position(): string {
    return this.#position;
  }

  take({ seq, writer, prevHash, hash, body, position }: PlacedBlock): void {
    const where = { block: seq };
    if (position <= this.#position) {
      this.#problems.add('order', where, `a position above ${this.#position}`, position);
    }
    this.#position = position;
    this.#problems.compare('block_hash', where, blockHash(prevHash, body), hash);
    this.#problems.compare('chain', where, this.#chains.get(writer) ?? '', prevHash);
    // Leaves have no chain: nothing follows them, and they follow nothing.
    if (writer !== LEAF_WRITER) this.#chains.set(writer, hash);
  }
}
