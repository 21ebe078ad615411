const MULTIPLIER = 0xd256d193;
const KEY_STEP = 0x9e3779b9;
const ROUNDS = 10;

/** The upper 32 bits of a 32 by 32 bit product; a double holds only 53 bits, so the halves are multiplied apart. */
function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const carry = (middle & 0xffff) + aLow * bHigh;
  return (aHigh * bHigh + Math.floor(middle / 0x10000) + Math.floor(carry / 0x10000)) >>> 0;
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
