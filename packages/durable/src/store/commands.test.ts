import { expect, test } from 'vitest';
import { wholeMs } from './commands.ts';

test('times are rounded up, and what cannot be written is for ever', () => {
  expect([0, 1, 1.1, -0.5].map(wholeMs)).toEqual([0, 1, 2, -0]);
  expect(wholeMs(Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER);
  expect([Infinity, 1e300, Number.MAX_SAFE_INTEGER + 1].map(wholeMs)).toEqual([null, null, null]);
});
