import { expect, test } from 'vitest';
import { globOf } from './glob.ts';

test.each([
  ['card expired', 'card expired', true],
  ['card expired', 'the card expired', false],
  ['*card expired*', 'HTTP 402: Card Expired at noon', true],
  ['card*', 'card', true],
  ['*card', 'a card and a card', true],
  ['a*b*c', 'a b b c', true],
  ['a*b*c', 'a c b', false],
  ['ab*ba', 'aba', false],
  ['ab*ba', 'abba', true],
  ['**', '', true],
  ['*', 'anything\nat all', true],
  ['a.c', 'abc', false],
  ['(a+)+$', '(a+)+$', true],
])('the pattern %s and the text %s: %s', (pattern, text, expected) => {
  expect(globOf(pattern).matches(text)).toBe(expected);
});

test('no text makes a pattern slow', () => {
  const glob = globOf(`${'a*'.repeat(10)}b`);
  const before = process.cpuUsage().user;
  for (let times = 0; times < 100; times += 1) glob.matches('a'.repeat(100_000));
  expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(500);
});
