import { expect, test } from 'vitest';
import { timeOption } from './option-values.ts';

const NOW_MS = Date.UTC(2027, 0, 31, 8);

test.each([
  ['2h', NOW_MS - 7_200_000],
  ['1.5h', NOW_MS - 5_400_000],
  ['2027-01-30T08:00:00Z', NOW_MS - 86_400_000],
])('%s', (since, atMs) => {
  expect(timeOption({ since }, 'since', NOW_MS)).toBe(atMs);
});

test.each(['+10m', '10', 'yesterday', '2027-01-30'])(
  '%s is not a time, and the hint says how to write one',
  (since) => {
    expect(() => timeOption({ since }, 'since', NOW_MS)).toThrow(
      expect.objectContaining({
        exit: 'usage',
        message: `--since is not a time: ${since}`,
        hint: expect.stringContaining('how long ago, as 2h'),
      }),
    );
  },
);
