import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge } from './goals.mjs';

test('a result without a goal is neither met nor missed', () => {
  assert.deepEqual(judge({ goal: null, ratio: 9 }), { met: null, missedBy: 0 });
});

test('a bound on the ratio includes the bound itself', () => {
  assert.deepEqual(judge({ goal: { ratioAtMost: 0.9 }, ratio: 0.9 }), { met: true, missedBy: 0 });
  const missed = judge({ goal: { ratioAtMost: 0.5 }, ratio: 0.6 });
  assert.equal(missed.met, false);
  assert.ok(Math.abs(missed.missedBy - 0.2) < 1e-9);
});

test('a ratio that should be high', () => {
  assert.deepEqual(judge({ goal: { ratioAtLeast: 10 }, ratio: 10 }), { met: true, missedBy: 0 });
  assert.deepEqual(judge({ goal: { ratioAtLeast: 10 }, ratio: 7.5 }), {
    met: false,
    missedBy: 0.25,
  });
});

test('bounds on the value', () => {
  assert.equal(judge({ goal: { valueAtMost: 0 }, value: 0 }).met, true);
  assert.equal(judge({ goal: { valueAtMost: 0 }, value: 1 }).met, false);
  assert.equal(judge({ goal: { valueAtLeast: 100 }, value: 99 }).met, false);
  assert.deepEqual(judge({ goal: { valueAtLeast: 100 }, value: 300 }), { met: true, missedBy: 0 });
});
