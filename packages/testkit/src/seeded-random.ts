/**
 * Uniform numbers in [0, 1) that are the same on every run and every engine. For tests and simulations only: it is
 * fast and even, not unpredictable.
 *
 * @param seed any number; its lower 32 bits count. Neighbouring seeds give unrelated sequences.
 */
export function seededRandom(seed: number): () => number {
  // sfc32 ("small fast counting", 128 bits of state): three mixed words and a counter that rules out short cycles.
  let [a, b, c, counter] = [0, seed | 0, 0, 1];
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  // The first outputs still resemble the seed.
  for (let round = 0; round < 15; round++) next();
  // Two draws for the 53 bits that a double holds: 27 high ones and 26 low ones.
  return () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53;
}
