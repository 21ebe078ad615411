import assert from 'node:assert/strict';
import { test } from 'node:test';
import { median, pairedRatio, quantile } from './statistics.mjs';

test('median of an odd and an even number of samples, in any order', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(median([10, 9, 1]), 9);
});

test('quantile interpolates and keeps the ends', () => {
  assert.equal(quantile([0, 10], 0.25), 2.5);
  assert.equal(quantile([5, 1, 9], 0), 1);
  assert.equal(quantile([5, 1, 9], 1), 9);
  assert.throws(() => quantile([], 0.5), /no samples/);
});

test('samples are not reordered in place', () => {
  const samples = [3, 1, 2];
  median(samples);
  assert.deepEqual(samples, [3, 1, 2]);
});

test('a slow round cancels out, because the ratio is taken inside the round', () => {
  const { ratio, low, high } = pairedRatio([2, 200, 4], [1, 100, 2]);
  assert.deepEqual({ ratio, low, high }, { ratio: 2, low: 2, high: 2 });
  assert.throws(() => pairedRatio([1], [1, 2]), /differ in length/);
});
