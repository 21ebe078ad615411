import { expect, test } from 'vitest';
import { formatDuration, shortDuration } from './times.ts';

test.each([
  [0, '0', '0'],
  [0.4, '0', '0'],
  [250, '250 ms', '250ms'],
  [999.6, '1 s', '1s'],
  [1_500, '1.5 s', '1.5s'],
  [31_750, '31.75 s', '31.75s'],
  [59_999, '59.999 s', '59.999s'],
  [60_000, '1 min', '1m'],
  [90_000, '1 min 30 s', '1m30s'],
  [3_599_999, '60 min', '60m'],
  [3_600_000, '1 h', '1h'],
  [4_200_000, '1 h 10 min', '1h10m'],
  [100_800_000, '1 d 4 h', '1d4h'],
])('%d ms is %s', (durationMs, long, short) => {
  expect(formatDuration(durationMs)).toBe(long);
  expect(shortDuration(durationMs)).toBe(short);
});
