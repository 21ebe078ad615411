import { expect, test } from 'vitest';
import { exponential, logarithm } from './arithmetic.ts';
import { Draws } from './draws.ts';
import { normalQuantile } from './normal.ts';
import { mixtureOf, type Spread, samplerOf } from './spread.ts';

test('exponential and logarithm agree with the engine but for the last bits', () => {
  for (let x = -700; x <= 700; x += 0.37) {
    expect(Math.abs(exponential(x) / Math.exp(x) - 1)).toBeLessThan(2e-13);
  }
  for (let x = 1e-300; x < 1e300; x *= 7.3) {
    expect(Math.abs(logarithm(x) - Math.log(x))).toBeLessThan(
      1e-13 * Math.abs(Math.log(x)) + 1e-15,
    );
  }
  expect([exponential(-1e9), exponential(1e9), logarithm(0)]).toEqual([0, Infinity, -Infinity]);
});

test('quantiles of the normal distribution are those of the tables', () => {
  expect(normalQuantile(0.5)).toBeCloseTo(0, 12);
  expect(normalQuantile(0.975)).toBeCloseTo(1.959963985, 7);
  expect(normalQuantile(0.999)).toBeCloseTo(3.090232306, 7);
  expect(normalQuantile(0.01)).toBeCloseTo(-2.326347874, 7);
});

const spreads: readonly (readonly [Spread, median: number, mean: number])[] = [
  [{ kind: 'fixed', ms: 7 }, 7, 7],
  [{ kind: 'lognormal', medianMs: 400, sigma: 0.8 }, 400, 400 * Math.exp(0.32)],
  [{ kind: 'normal', meanMs: 35, deviationMs: 8, minMs: 1 }, 35, 35],
  [{ kind: 'exponential', meanMs: 60 }, 60 * Math.LN2, 60],
  [
    {
      kind: 'percentiles',
      points: [
        [0, 0],
        [0.5, 10],
        [0.6, 12],
        [1, 12],
      ],
    },
    10,
    8.4,
  ],
];

test.each(spreads)('draws of %o have its median and its mean', (spread, median, mean) => {
  const draws = new Draws(3, 9);
  const sampler = samplerOf(spread);
  const values = Array.from({ length: 200_000 }, () => sampler(draws.next())).sort((a, b) => a - b);
  expect((values[100_000] ?? 0) / median).toBeCloseTo(1, 1.7);
  expect(values.reduce((sum, value) => sum + value, 0) / 200_000 / mean).toBeCloseTo(1, 1.7);
});

test('a mixture takes each of its parts as often as its share says', () => {
  const fixed = (ms: number) => samplerOf({ kind: 'fixed', ms });
  const mixture = mixtureOf([
    { share: 3, sampler: fixed(1) },
    { share: 1, sampler: fixed(5) },
  ]);
  const draws = new Draws(1, 1);
  const values = Array.from({ length: 40_000 }, () => mixture(draws.next(), draws.next()));
  expect(values.filter((value) => value === 5).length / 40_000).toBeCloseTo(0.25, 2);
});

test('the same seed gives the same numbers, and two streams have nothing in common', () => {
  const some = (seed: number, stream: number) => {
    const draws = new Draws(seed, stream);
    return Array.from({ length: 100 }, () => draws.next());
  };
  expect(some(1, 2)).toEqual(some(1, 2));
  expect(new Set([...some(1, 2), ...some(1, 3), ...some(2, 2)]).size).toBe(300);
});
