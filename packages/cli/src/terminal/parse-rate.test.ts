import { expect, test } from 'vitest';
import { parseRate, rateText } from './parse-rate.ts';

test.each([
  ['50/s', 50],
  ['50', 50],
  ['90/m', 1.5],
  ['7200/h', 2],
  ['1.25/s', 1.25],
])('%s is %d a second', (text, perSecond) => {
  expect(parseRate(text, '--rate')).toBe(perSecond);
});

test.each(['', 'fast', '0', '0/s', '-1/s', '5/d', '1e3', '50 /s', '9999999999'])(
  '%j is not a rate',
  (text) => {
    expect(() => parseRate(text, '--rate')).toThrow(`--rate is not a rate: ${text}`);
  },
);

test.each(['0.25/s', '59/m', '1000/h'])('%j is too low, and the least is said', (text) => {
  expect(() => parseRate(text, '--rate')).toThrow(
    expect.objectContaining({
      message: `--rate is less than 1/s: ${text}`,
      hint: expect.stringContaining('1/s is the least'),
    }),
  );
});

test('every rate that the hint proposes is taken', () => {
  const { hint = '' } = refusalOf('fast');
  const proposed = hint.match(/[\d.]+\/[smh]/g) ?? [];
  expect(proposed.length).toBeGreaterThan(2);
  for (const text of proposed) expect(parseRate(text, '--rate')).toBeGreaterThanOrEqual(1);
});

function refusalOf(text: string): { hint?: string } {
  try {
    parseRate(text, '--rate');
  } catch (error) {
    return error as { hint?: string }; // A CliError; if not, the hint is missing.
  }
  return expect.fail('it was taken');
}

test.each([
  [1_500, '1,500/s'],
  [12.5, '13/s'],
  [7.59, '7.6/s'],
  [0.25, '0.25/s'],
])('%d a second is written %s', (perSecond, text) => {
  expect(rateText(perSecond)).toBe(text);
});
