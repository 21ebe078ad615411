import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readLetters, scoreOf } from './causes/score.ts';

// The limits are a little below what was measured, so that a change that merges or splits causes is seen.
test.each([
  ['letters.jsonl', 0.99, 0.95],
  ['more-letters.jsonl', 0.99, 0.95],
  ['third-letters.jsonl', 0.99, 0.95],
  ['fourth-letters.jsonl', 0.99, 0.95],
  ['fifth-letters.jsonl', 0.99, 0.95],
  ['sixth-letters.jsonl', 0.99, 0.92],
])('groups %s by cause with a precision of %d and an F1 of %d', (name, precision, f1) => {
  const score = scoreOf(readLetters(join(import.meta.dirname, 'causes', name)));
  expect(score.precision).toBeGreaterThanOrEqual(precision);
  expect(score.f1).toBeGreaterThanOrEqual(f1);
});

test('a score counts pairs of letters', () => {
  const letter = (cause: string, message: string) => ({ cause, handler: 'h', type: 'E', message });
  const letters = [
    letter('a', 'no row 1'),
    letter('a', 'no row 2'),
    letter('a', 'gone'),
    letter('b', 'gone'),
  ];
  // Groups {1, 2} and {3, 4}: one pair of two is right, and one of the three pairs of cause a is together.
  expect(scoreOf(letters)).toMatchObject({ groups: 2, precision: 1 / 2, recall: 1 / 3, f1: 0.4 });
  expect(scoreOf(letters).splits).toEqual([
    { name: 'a', letters: 3, parts: ['E: no row <n>', 'E: gone'] },
  ]);
  expect(scoreOf(letters).merges).toEqual([{ name: 'E: gone', letters: 2, parts: ['a', 'b'] }]);
});
