import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareRates, rateFigures, rotated } from './rates.mjs';

const rates = {
  lanes: [
    { id: 'own', label: 'Own' },
    { id: 'slow', label: 'Slow' },
    { id: 'fast', label: 'Fast' },
  ],
  sizes: [{ jobs: 3000, rounds: 3 }],
  samples: {
    own: { 3000: [{ rate: 100 }, { rate: 10 }, { rate: 120 }] },
    slow: { 3000: [{ rate: 10 }, { rate: 1 }, { rate: 10 }] },
    fast: { 3000: [{ rate: 50 }, { rate: 50 }, { rate: 50 }] },
  },
};

test('ratios are taken inside a round', () => {
  const [result] = compareRates(rates, 'own', 'slow', { ratioAtLeast: 10 });
  assert.equal(result.ratio, 10);
  assert.equal(result.value, 100);
  assert.equal(result.baseline, 10);
  assert.equal(result.label, 'Own ÷ Slow');
  assert.equal(result.id, 'own/slow/3000');
});

test('a lane that was left out gives no result', () => {
  assert.deepEqual(compareRates(rates, 'own', 'absent'), []);
  assert.deepEqual(compareRates(rates, 'absent', 'own'), []);
});

test('each round begins with another lane', () => {
  assert.deepEqual(rotated(['a', 'b', 'c'], 0), ['a', 'b', 'c']);
  assert.deepEqual(rotated(['a', 'b', 'c'], 4), ['b', 'c', 'a']);
});

test('columns that nobody fills are left out', () => {
  const { header, rows } = rateFigures(rates);
  assert.equal(header.length, rows[0].length);
  assert.equal(header.includes('first job after'), false);
  assert.match(rows[0][1], /^100 \(55 to 110\)$/);
});
