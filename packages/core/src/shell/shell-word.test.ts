import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
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

/** The arguments that a shell reads from words. It runs in an empty directory, which it must leave empty. */
function readBy(shell: string, words: readonly string[]): readonly string[] {
  const script = `printf '%s\\0' ${words.join(' ')}`;
  const cwd = mkdtempSync(join(tmpdir(), 'redrive-shell-'));
  try {
    const text = execFileSync(shell, ['-c', script], { cwd, encoding: 'utf8', timeout: 10_000 });
    expect(readdirSync(cwd)).toEqual([]);
    return text.split('\0').slice(0, -1);
  } finally {
    rmSync(cwd, { recursive: true });
  }
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

/**
 * What a program on Windows gets as arguments: PowerShell is modelled, because it is not installed where these tests run.
 * Before version 7.3 it joined arguments without escapes.
 */
function readByPowerShell(words: readonly string[], version: 'old' | 'new'): readonly string[] {
  const line = words.map((word) => {
    const text = readWord(word, version);
    return version === 'old' ? joinedByOld(text) : joinedByNew(text);
  });
  return readByWindows(line.filter((text) => text !== '').join(' '));
}

/** The value of a word: bare, in single quotes, or a sum of such texts and characters. */
function readWord(word: string, version: 'old' | 'new'): string {
  if (/^[A-Za-z_/][\w.:/+-]*$|^\d+$/.test(word)) return word;
  const sum = /^\((.*)\)$/s.exec(word)?.[1] ?? word;
  const part =
    /(?:'((?:[^'\u2018-\u201b]|['\u2018-\u201b]{2})*)'|\[char]0x([\da-f]+)|\$\(if\(!\$PSNativeCommandArgumentPassing\)\{'([\\"]*)'}\))(\+|$)/y;
  let value = '';
  for (let at = 0; at < sum.length; at = part.lastIndex) {
    part.lastIndex = at;
    const [found, quoted, code, escapes = ''] = part.exec(sum) ?? [];
    if (found === undefined) throw new Error(`PowerShell cannot read ${word}`);
    if (quoted !== undefined)
      value += quoted.replaceAll(/(['\u2018-\u201b])['\u2018-\u201b]/g, '$1');
    else if (code !== undefined) value += String.fromCharCode(Number.parseInt(code, 16));
    else if (version === 'old') value += escapes;
  }
  return value;
}

/** It puts quotes around a text with a space behind an even number of quotes, and changes nothing else. */
function joinedByOld(text: string): string {
  let quotes = 0;
  let isSpaced = false;
  for (const character of text)
    if (character === '"') quotes += 1;
    else if (/[^\S\ufeff]|\u0085/.test(character) && quotes % 2 === 0) isSpaced = true;
  return isSpaced ? `"${text}"` : text;
}

function joinedByNew(text: string): string {
  return `"${text.replaceAll(/(\\*)("|$)/g, (_, slashes: string, end: string) => slashes + slashes + (end && '\\"'))}"`;
}

/** The arguments that the C library of Windows reads from a command line. */
function readByWindows(line: string): readonly string[] {
  const all: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const [, slashes = '', quote = ''] = /^(\\*)("?)/.exec(line.slice(at)) ?? [];
    if (quote !== '') {
      word = (word ?? '') + '\\'.repeat(slashes.length / 2);
      at += slashes.length;
      if (slashes.length % 2 === 1) word += '"';
      else if (isQuoted && line[at + 1] === '"') {
        word += '"';
        at += 1;
      } else isQuoted = !isQuoted;
    } else if (/[ \t]/.test(line[at] ?? '') && !isQuoted) {
      if (word !== undefined) all.push(word);
      word = undefined;
    } else word = (word ?? '') + line[at];
  }
  return word === undefined ? all : [...all, word];
}

test('for readers on Windows a command is quoted for PowerShell, which would keep a bare -- for itself', () => {
  vi.stubGlobal('navigator', { platform: 'Win32' });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(commandText`redrive dlq show ${'-rf'}`).toBe("redrive dlq show '--' '-rf'");
  expect(commandText`redrive dlq show ${"it's"}`).toBe("redrive dlq show 'it''s'");
});

describe.each(['old', 'new'] as const)('in PowerShell, %s versions', (version) => {
  const read = (texts: readonly string[]) =>
    readByPowerShell(
      texts.map((text) => shellWord(text, 'powershell')),
      version,
    );

  test('a program gets each quoted word as the text itself', () => {
    const more = ['x" --all "', 'a b\\', 'a\\" b\\\\"', 'a\\"b', '"', 'a\u2019;calc', '007', '1kb'];
    const all = [...NAMES, ...HIDDEN, ...more];
    expect(read(all)).toEqual(all);
  });

  test('the same with any texts', () => {
    const character = fc.constantFrom(...'ab \\\\""\'-;$`\u00a0\u2018\n\u202e\ufeff');
    const text = fc.string({ unit: character, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (texts) => {
        expect(read(texts)).toEqual(texts);
      }),
      { numRuns: 2_000 },
    );
  });
});
