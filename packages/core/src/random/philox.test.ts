import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { philox2x32 } from './session-random.ts';

const words = fc.oneof(
  fc.nat(0xffffffff),
  fc.constantFrom(0, 1, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff),
);

describe('philox2x32', () => {
  // The known answers of Random123, the generator's home: philox2x32, 10 rounds.
  it.each([
    [0x00000000, 0x00000000, 0x00000000, 0xff1dae59, 0x6cd10df2],
    [0xffffffff, 0xffffffff, 0xffffffff, 0x2c3f628b, 0xab4fd7ad],
    [0x243f6a88, 0x85a308d3, 0x13198a2e, 0xdd7ce038, 0xf62a4c12],
  ])('knows the answer for counter %x %x, key %x', (counter0, counter1, key, high, low) => {
    expect(philox2x32(counter0, counter1, key)).toEqual([high, low]);
  });

  it('multiplies as exactly as big integers do', () => {
    fc.assert(
      fc.property(words, words, words, (counter0, counter1, key) => {
        expect(philox2x32(counter0, counter1, key)).toEqual(byBigInt(counter0, counter1, key));
      }),
      { numRuns: 10_000 },
    );
  });

  it('takes the lower 32 bits of larger numbers', () => {
    expect(philox2x32(2 ** 32 + 7, -1, 2 ** 40)).toEqual(philox2x32(7, 0xffffffff, 0));
  });
});

function byBigInt(counter0: number, counter1: number, key: number): [number, number] {
  let [x, y, k] = [BigInt(counter0), BigInt(counter1), BigInt(key)];
  for (let round = 0; round < 10; round++) {
    const product = 0xd256d193n * x;
    [x, y] = [(product >> 32n) ^ k ^ y, product & 0xffffffffn];
    k = (k + 0x9e3779b9n) & 0xffffffffn;
  }
  return [Number(x), Number(y)];
}
