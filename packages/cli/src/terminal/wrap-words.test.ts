import { expect, test } from 'vitest';
import { wrapWords } from './printable.ts';

test('lines break between words, and later ones are indented', () => {
  expect(wrapWords('one two three four', 9, '  ')).toEqual(['one two', '  three', '  four']);
  expect(wrapWords('one two', 7)).toEqual(['one two']);
});

test('a command to paste is never broken, nor is a quoted name in it', () => {
  const command = "redrive dlq requeue --reason 'it is 7' -- 'a  b' '\\''c d'";
  for (const text of [
    `To run it again: ${command}`,
    `Then: redrive jobs show 'a b', or ${command}`,
    `Stopped. Run "${command}" and look again`,
  ]) {
    for (let columns = 10; columns < 90; columns += 1) {
      const lines = wrapWords(text, columns);
      expect([columns, lines.filter((line) => line.includes(command))]).toEqual([
        ...[columns, [expect.any(String)]],
      ]);
      expect(lines.join(' ')).toBe(text);
    }
  }
  const prose = 'Nothing waits: redrive start. Then look at all of it again';
  expect(wrapWords(prose, 20)).toEqual([
    'Nothing waits:',
    'redrive start. Then',
    'look at all of it',
    'again',
  ]);
});

test('a word that is longer than a line stays whole', () => {
  expect(wrapWords('see /a/very/long/path for more', 10)).toEqual([
    'see',
    '/a/very/long/path',
    'for more',
  ]);
  expect(wrapWords('', 10)).toEqual(['']);
});
