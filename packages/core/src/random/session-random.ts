import { philox2x32 } from './philox.ts';

/**
 * The uniform number on [0, 1) that belongs to one execution of one session. `execution` counts over all generations of
 * the session, so no draw repeats. 53 bits, the same on every platform; test vectors in `docs/reference/jitter.md`.
 */
export function sessionRandom(sessionId: string, execution: number): number {
  const [high, low] = philox2x32(
    execution,
    hash(sessionId, SEED_COUNTER),
    hash(sessionId, SEED_KEY),
  );
  return ((high >>> 5) * 0x4000000 + (low >>> 6)) / 2 ** 53;
}

// Two different hashes of the id, one as the key and one as the upper half of the counter: 64 bits of the id take part.
const SEED_KEY = 0x52656472;
const SEED_COUNTER = 0x69766521;

/** 32-bit MurmurHash3 over the id's UTF-16 code units, one unit per block. */
function hash(text: string, seed: number): number {
  let h = seed;
  for (let i = 0; i < text.length; i++) {
    let k = Math.imul(text.charCodeAt(i), 0xcc9e2d51);
    k = (k << 15) | (k >>> 17);
    h ^= Math.imul(k, 0x1b873593);
    h = (h << 13) | (h >>> 19);
    h = Math.imul(h, 5) + 0xe6546b64;
  }
  h ^= text.length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
