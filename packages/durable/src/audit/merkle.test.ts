import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  inclusionProof,
  isIncluded,
  leafHash,
  MerkleTree,
  merkleRoot,
  siblingSides,
} from './merkle.ts';

/** Section 2.1 of RFC 6962, word for word. */
function rootByDefinition(leaves: readonly Uint8Array[]): Uint8Array {
  const sha256 = (...parts: Uint8Array[]): Uint8Array =>
    createHash('sha256').update(Buffer.concat(parts)).digest();
  if (leaves.length === 0) return sha256();
  const [first] = leaves;
  if (leaves.length === 1 && first !== undefined) return first;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  return sha256(Uint8Array.of(1), rootByDefinition(left), rootByDefinition(right));
}

const texts = (count: number): string[] => Array.from({ length: count }, (_, n) => `leaf ${n}`);
const leavesOf = (list: readonly string[]): Uint8Array[] => list.map((text) => leafHash(text));

test('a tree without leaves and one of the empty leaf, as RFC 6962 has them', () => {
  expect(merkleRoot([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(merkleRoot([leafHash('')])).toBe(
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  );
});

test('the root of every count up to 70 is the one of the definition', () => {
  for (let count = 0; count <= 70; count++) {
    const leaves = leavesOf(texts(count));
    expect(merkleRoot(leaves)).toBe(Buffer.from(rootByDefinition(leaves)).toString('hex'));
  }
});

test('a last leaf that is there twice has another root than one that is there once', () => {
  expect(merkleRoot(leavesOf(['a', 'b', 'c']))).not.toBe(
    merkleRoot(leavesOf(['a', 'b', 'c', 'c'])),
  );
});

test('a leaf that holds two hashes does not pass for their node', () => {
  const [a, b] = leavesOf(['a', 'b']) as [Uint8Array, Uint8Array];
  const forged = [Buffer.concat([a, b]), Buffer.concat([Uint8Array.of(1), a, b])].map((data) =>
    leafHash(data),
  );
  for (const leaf of forged) expect(merkleRoot([leaf])).not.toBe(merkleRoot([a, b]));
});

test('the root can be asked for on the way', () => {
  const tree = new MerkleTree();
  const leaves = leavesOf(texts(9));
  for (const [index, leaf] of leaves.entries()) {
    tree.add(leaf);
    expect(tree.leaves).toBe(index + 1);
    expect(tree.root).toBe(merkleRoot(leaves.slice(0, index + 1)));
  }
});

test('every leaf of every count up to 40 has a proof, which fits nothing else', () => {
  for (let count = 1; count <= 40; count++) {
    const leaves = leavesOf(texts(count));
    const root = merkleRoot(leaves);
    for (const [index, leaf] of leaves.entries()) {
      const proof = inclusionProof(leaves, index);
      expect(proof.length).toBeLessThanOrEqual(Math.ceil(Math.log2(count)));
      expect(isIncluded(leaf, index, count, proof, root)).toBe(true);
      expect(isIncluded(leafHash('another'), index, count, proof, root)).toBe(false);
      expect(isIncluded(leaf, index, count, [...proof, root], root)).toBe(false);
      expect(siblingSides(index, count)).toHaveLength(proof.length);
      for (const other of leaves.keys()) {
        expect(isIncluded(leaf, other, count, proof, root)).toBe(other === index);
      }
      if (count > 1) {
        expect(isIncluded(leaf, index, count, proof.slice(1), root)).toBe(false);
      }
    }
  }
});

test('what is no proof is none', () => {
  const leaves = leavesOf(texts(5));
  const [leaf] = leaves as [Uint8Array];
  const root = merkleRoot(leaves);
  const proof = inclusionProof(leaves, 0);
  expect(inclusionProof(leaves, 5)).toEqual([]);
  expect(inclusionProof(leaves, -1)).toEqual([]);
  expect(isIncluded(leaf, 5, 5, proof, root)).toBe(false);
  expect(isIncluded(leaf, -1, 5, proof, root)).toBe(false);
  expect(isIncluded(leaf, 0.5, 5, proof, root)).toBe(false);
  expect(isIncluded(leaf, 0, 5, proof.with(0, 'no hash'), root)).toBe(false);
  expect(isIncluded(leaf, 0, 5, proof.with(0, '0'.repeat(64)), root)).toBe(false);
});

test('two different lists never have the same root', () => {
  const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
  fc.assert(
    fc.property(list, list, (a, b) => {
      const same = JSON.stringify(a) === JSON.stringify(b);
      expect(merkleRoot(leavesOf(a)) === merkleRoot(leavesOf(b))).toBe(same);
    }),
  );
});
