import { parsePayload } from '@redrive/durable/store';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Line, readLines } from './enqueue-lines.ts';

async function linesOf(pieces: readonly Uint8Array[], maxBytes = 100): Promise<Line[]> {
  const lines: Line[] = [];
  async function* stream() {
    yield* pieces;
  }
  for await (const line of readLines(stream(), maxBytes)) lines.push(line);
  return lines;
}

test('lines have their numbers, empty ones do not count as jobs, the last needs no line feed', async () => {
  expect(await linesOf([Buffer.from('{"a":1}\r\n\n  \n2\n"end"')])).toEqual([
    { number: 1, text: '{"a":1}' },
    { number: 4, text: '2' },
    { number: 5, text: '"end"' },
  ]);
});

test('a line that is too long or no text is a problem of its own', async () => {
  const pieces = [
    Buffer.from(`1\n${'x'.repeat(60)}`),
    Buffer.from(`${'x'.repeat(60)}\n`),
    Buffer.of(0xff, 0x0a),
    Buffer.from('2'),
  ];
  expect(await linesOf(pieces)).toEqual([
    { number: 1, text: '1' },
    { number: 2, problem: 'it has more than 100 bytes' },
    { number: 3, problem: 'it is not UTF-8' },
    { number: 4, text: '2' },
  ]);
});

test('it does not matter where the pieces are cut', async () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 8 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(texts, fc.array(fc.nat(80)), async (lines, cuts) => {
      const all = Buffer.from(lines.join('\n'));
      const ends = [...cuts.filter((cut) => cut < all.length), all.length].sort((a, b) => a - b);
      const pieces = ends.map((end, index) => all.subarray(ends[index - 1] ?? 0, end));
      expect(await linesOf(pieces, 1_000)).toEqual(await linesOf([all], 1_000));
    }),
  );
});

test('a payload keeps every digit, or is refused', () => {
  expect(parsePayload('{"a":[1,2.5,-9007199254740991]}')).toEqual({
    a: [1, 2.5, -9007199254740991],
  });
  expect(parsePayload('"12345678901234567890"')).toBe('12345678901234567890');
  expect(parsePayload('0.12345678901234567')).toBeCloseTo(0.123456789);
  expect(() => parsePayload('{"id":12345678901234567890}')).toThrow(
    'the number 12345678901234567890 would lose digits: write it as a text',
  );
  expect(() => parsePayload(`{"a":[${'9'.repeat(400)}]}`)).toThrow('payload.a[0] is too large');
  expect(parsePayload('["1e400",1e300]')).toEqual(['1e400', 1e300]);
  expect(() => parsePayload('{a:1}')).toThrow(SyntaxError);
});
