import type { Clock } from '../clock/clock.ts';

let processPart: string | undefined;
let counter = 0;

/**
 * An id that is unique over processes and under concurrency: `<prefix>_<ms>_<random of this process><counter>`. The
 * random part is drawn at the first call, because edge runtimes refuse it during import.
 */
export function newId(prefix: string, clock: Clock): string {
  return `${prefix}_${clock.now()}_${clock.uniquePart?.() ?? uniqueInProcesses()}`;
}

function uniqueInProcesses(): string {
  processPart ??= Array.from(crypto.getRandomValues(new Uint32Array(2)), (word) =>
    word.toString(36).padStart(7, '0'),
  ).join('');
  counter++;
  return processPart + counter.toString(36);
}

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

const MULTIPLIER = 0xd256d193;
const KEY_STEP = 0x9e3779b9;
const ROUNDS = 10;

/** The upper 32 bits of a 32 by 32 bit product; a double holds only 53 bits, so the halves are multiplied apart. */
function multiplyHigh(a: number, b: number): number {
  const low = Math.floor((a * (b & 0xffff)) / 0x10000);
  return Math.floor((a * (b >>> 16) + low) / 0x10000);
}

/**
 * Philox2x32-10: a counter-based generator. Equal inputs give equal outputs on every platform and nothing is stored
 * between draws, so that a recorded delay can be derived again from (session id, execution number) alone.
 */
export function philox2x32(counter0: number, counter1: number, key: number): [number, number] {
  let x = counter0 >>> 0;
  let y = counter1 >>> 0;
  let k = key >>> 0;
  for (let round = 0; round < ROUNDS; round++) {
    const high = multiplyHigh(MULTIPLIER, x);
    const low = Math.imul(MULTIPLIER, x) >>> 0;
    x = (high ^ k ^ y) >>> 0;
    y = low;
    k = (k + KEY_STEP) >>> 0;
  }
  return [x, y];
}
