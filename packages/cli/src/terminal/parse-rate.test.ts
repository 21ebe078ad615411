import { expect, test } from 'vitest';
import { parseRate, rateText } from './parse-rate.ts';

test.each([
  ['50/s', 50],
  ['50', 50],
  ['90/m', 1.5],
  ['1800/h', 0.5],
  ['0.25/s', 0.25],
])('%s is %d a second', (text, perSecond) => {
  expect(parseRate(text, '--rate')).toBe(perSecond);
});

test.each(['', 'fast', '0', '0/s', '-1/s', '5/d', '1e3', '50 /s', '9999999999'])(
  '%j is no rate',
  (text) => {
    expect(() => parseRate(text, '--rate')).toThrow(`--rate is no rate: ${text}`);
  },
);

test.each([
  [1_500, '1,500/s'],
  [12.5, '13/s'],
  [7.59, '7.6/s'],
  [0.25, '0.25/s'],
])('%d a second is written %s', (perSecond, text) => {
  expect(rateText(perSecond)).toBe(text);
});
