import { type DeadLetterEnvelope, exportDeadLetters } from '@redrive/durable/dead-letters';
import { expect, test } from 'vitest';
import { printable, safeJson } from './printable.ts';

test('nothing that a file says can move the cursor, clear the screen or reverse a line', () => {
  expect(printable('a\x1b[2Jb')).toBe('a\\x1b[2Jb');
  expect(printable('a\r\nb\t\x9bc')).toBe('a\\x0d\\x0ab\\x09\\x9bc');
  expect(printable('\u202Egnp.exe')).toBe('\\u202egnp.exe');
  expect(printable('a\u200bb\u2028c\ufeffd')).toBe('a\\u200bb\\u2028c\\ufeffd');
  expect(printable('Größe → 5 €, 漢字')).toBe('Größe → 5 €, 漢字');
});

test('nor can JSON, and it still says the same', () => {
  const value = { text: '\x1b[2J\x9b\x7f\u202Egnp.exe → €' };
  const json = safeJson(JSON.stringify(value));
  expect(json).toBe('{"text":"\\u001b[2J\\u009b\\u007f\\u202egnp.exe → €"}');
  expect(JSON.parse(json)).toEqual(value);
});

test('JSON on the terminal and in exports escapes the same characters, all that reverse a line among them', async () => {
  const codes = Array.from({ length: 0xd800 }, (_, code) => code);
  const text = String.fromCharCode(...codes, 0xfeff);
  const json = safeJson(JSON.stringify({ text }));
  expect(json).not.toMatch(/[\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
  // Any object will do.
  const letter = { text } as unknown as DeadLetterEnvelope;
  for await (const line of exportDeadLetters([letter], 'jsonl'))
    expect(line === `${json}\n`).toBe(true);
});
