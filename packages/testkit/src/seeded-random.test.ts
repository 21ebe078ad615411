import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from './seeded-random.ts';

const draw = (seed: number, count: number) => Array.from({ length: count }, seededRandom(seed));

test('the sequence of a seed never changes, so that a seed in a test keeps its meaning', () => {
  expect(draw(1, 3)).toEqual([0.4143997614965732, 0.3868573653355908, 0.967716195918118]);
});

test('the same seed gives the same numbers, another seed others', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), (one, two) => {
      const same = one === two;
      expect(draw(one, 5)).toEqual(draw(one, 5));
      expect(JSON.stringify(draw(one, 5)) === JSON.stringify(draw(two, 5))).toBe(same);
    }),
  );
});

test('numbers are in [0, 1), evenly, and use all their bits', () => {
  const numbers = draw(7, 100_000);
  expect(Math.min(...numbers.slice(0, 50_000))).toBeGreaterThanOrEqual(0);
  expect(Math.max(...numbers.slice(0, 50_000))).toBeLessThan(1);
  const buckets = new Array<number>(10).fill(0);
  for (const number of numbers)
    buckets[Math.floor(number * 10)] = (buckets[Math.floor(number * 10)] ?? 0) + 1;
  // Each bucket's share has a standard deviation of about 95; five of them are ample.
  for (const count of buckets) expect(Math.abs(count - 10_000)).toBeLessThan(475);
  const oddLastBits = numbers.filter((number) => (number * 2 ** 53) % 2 === 1).length;
  expect(Math.abs(oddLastBits - 50_000)).toBeLessThan(800);
});

test('neighbouring seeds are unrelated', () => {
  const firsts = Array.from({ length: 1_000 }, (_, seed) => seededRandom(seed)());
  const mean = firsts.reduce((sum, number) => sum + number) / firsts.length;
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.05);
  const rising = firsts.filter((number, index) => number > (firsts[index - 1] ?? 0)).length;
  expect(Math.abs(rising - 500)).toBeLessThan(60);
});
