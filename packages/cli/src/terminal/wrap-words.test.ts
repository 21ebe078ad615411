import { expect, test } from 'vitest';
import { wrapWords } from './printable.ts';

test('lines break between words, and later ones are indented', () => {
  expect(wrapWords('one two three four', 9, '  ')).toEqual(['one two', '  three', '  four']);
  expect(wrapWords('one two', 7)).toEqual(['one two']);
});

test('a word that is longer than a line stays whole', () => {
  expect(wrapWords('see /a/very/long/path for more', 10)).toEqual([
    'see',
    '/a/very/long/path',
    'for more',
  ]);
  expect(wrapWords('', 10)).toEqual(['']);
});
