import { createHash } from 'node:crypto';

// The tree of RFC 6962: a leaf is SHA-256(0x00 ‖ data), a node SHA-256(0x01 ‖ left ‖ right), so that no leaf can pass for
// a node. A tree of n leaves is split at the largest power of two below n; a single leaf at the end is carried up as it
// is. (Doubling it, as some do, gives two different lists the same root.)

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** Hash of one leaf. */
export function leafHash(data: string | Uint8Array): Uint8Array {
  return createHash('sha256').update(LEAF).update(data).digest();
}

function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return createHash('sha256').update(NODE).update(left).update(right).digest();
}

/** Takes leaf after leaf and keeps no more than one hash per level. */
export class MerkleTree {
  #leaves = 0;
  /** Roots of the full subtrees so far, the largest first: one for each 1 in the binary form of `#leaves`. */
  readonly #subtrees: Uint8Array[] = [];

  get leaves(): number {
    return this.#leaves;
  }

  add(leaf: Uint8Array): void {
    let full = leaf;
    for (let size = this.#leaves; size % 2 === 1; size = (size - 1) / 2) {
      // There is one subtree for every 1.
      full = nodeHash(this.#subtrees.pop() as Uint8Array, full);
    }
    this.#subtrees.push(full);
    this.#leaves += 1;
  }

  /** In hex. Of a tree without leaves: the hash of nothing. */
  get root(): string {
    const root = this.#subtrees.reduceRight<Uint8Array | undefined>(
      (right, left) => (right === undefined ? left : nodeHash(left, right)),
      undefined,
    );
    return toHex(root ?? createHash('sha256').digest());
  }
}

/** Root over all leaves, in hex. */
export function merkleRoot(leaves: Iterable<Uint8Array>): string {
  const tree = new MerkleTree();
  for (const leaf of leaves) tree.add(leaf);
  return tree.root;
}

/**
 * The hashes, in hex, that lead from one leaf to the root: from the bottom up. Empty for an index that does not exist.
 */
export function inclusionProof(leaves: readonly Uint8Array[], index: number): string[] {
  if (!Number.isInteger(index) || index < 0 || index >= leaves.length) return [];
  const fromTheTop: string[] = [];
  let part = leaves;
  let place = index;
  while (part.length > 1) {
    const split = splitOf(part.length);
    const left = part.slice(0, split);
    const right = part.slice(split);
    const isLeft = place < split;
    fromTheTop.push(merkleRoot(isLeft ? right : left));
    part = isLeft ? left : right;
    if (!isLeft) place -= split;
  }
  return fromTheTop.reverse();
}

/** The side of each hash of a proof, from the bottom up. It follows from the shape of the tree alone. */
export function siblingSides(index: number, leaves: number): ('left' | 'right')[] {
  const sides: ('left' | 'right')[] = [];
  let place = index;
  let last = leaves - 1;
  while (last > 0) {
    if (place % 2 === 1 || place === last) {
      sides.push('left');
      // A subtree without a right brother was carried up as it is.
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      sides.push('right');
    }
    [place, last] = [half(place), half(last)];
  }
  return sides;
}

/** Whether the proof leads from this leaf, at this index among `leaves`, to the root (RFC 9162, section 2.1.3.2). */
export function isIncluded(
  leaf: Uint8Array,
  index: number,
  leaves: number,
  proof: readonly string[],
  root: string,
): boolean {
  if (!Number.isInteger(index) || index < 0 || index >= leaves) return false;
  const sides = siblingSides(index, leaves);
  if (sides.length !== proof.length) return false;
  let hash = leaf;
  for (const [step, side] of sides.entries()) {
    const other = fromHex(proof[step] ?? '');
    if (other === undefined) return false;
    hash = side === 'left' ? nodeHash(other, hash) : nodeHash(hash, other);
  }
  return toHex(hash) === root;
}

function half(number: number): number {
  return Math.floor(number / 2);
}

/** The largest power of two below n, for n > 1. */
function splitOf(leaves: number): number {
  let split = 1;
  while (split * 2 < leaves) split *= 2;
  return split;
}

function toHex(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('hex');
}

function fromHex(text: string): Uint8Array | undefined {
  return /^[\da-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : undefined;
}
