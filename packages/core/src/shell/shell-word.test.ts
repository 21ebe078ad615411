import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commandText, shellWord } from './shell-word.ts';

const NAMES = [
  'plain',
  'm;touch x',
  "it's",
  '$(touch x)',
  '`touch x`',
  'a&b|c>d<e',
  '$HOME ~ * {a,b} !! #',
  'back\\slash "quoted"',
  "\\'; touch x; '",
  '-rf',
  '--tenant=B',
  '~root',
  'a=b',
  '',
];
const HIDDEN = ["a\u202e'b", 'line\nbreak; touch x', "tab\t\\'$(touch x)", '\u001b[31mred'];

/** The arguments that a shell reads from words. */
function readBy(shell: string, words: readonly string[]): readonly string[] {
  const script = `printf '%s\\0' ${words.join(' ')}`;
  const text = execFileSync(shell, ['-c', script], { encoding: 'utf8', timeout: 10_000 });
  return text.split('\0').slice(0, -1);
}

test('a POSIX shell reads each quoted word as the text itself', () => {
  const words = NAMES.map((name) => shellWord(name, 'posix'));
  expect(readBy('sh', words)).toEqual(NAMES);
});

test('bash reads words with hidden characters as the text itself, and they stay on one line', () => {
  const all = [...NAMES, ...HIDDEN];
  const words = all.map((name) => shellWord(name, 'posix'));
  expect(words.join('')).not.toMatch(/\p{Cc}|\p{Cf}/u);
  expect(readBy('bash', words)).toEqual(all);
});

test('a command ends its options before an argument that looks like one', () => {
  expect(commandText`redrive dlq show ${'-rf'}`).toBe("redrive dlq show -- '-rf'");
  expect(commandText`redrive dlq list --tenant ${'-rf'}`).toBe("redrive dlq list --tenant '-rf'");
});
