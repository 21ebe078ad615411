import { expect, test } from 'vitest';
import { parseDuration, parseMoment } from './parse-time.ts';
import { formatAge, formatTime } from './times.ts';

test.each([
  ['0', 0],
  ['30', 30_000],
  ['1.5', 1_500],
  ['250ms', 250],
  ['90s', 90_000],
  ['10m', 600_000],
  ['1h30m', 5_400_000],
  ['2d', 172_800_000],
  ['0.5s', 500],
])('%s is %d ms', (text, durationMs) => {
  expect(parseDuration(text, '--timeout')).toBe(durationMs);
});

test.each(['', 's', '10x', '-5', '1e3', '10m and more', '99999999999d', 'm10', '1..5'])(
  '"%s" is not a duration',
  (text) => {
    expect(() => parseDuration(text, '--timeout')).toThrow(
      expect.objectContaining({ exit: 'usage', message: `--timeout is not a duration: ${text}` }),
    );
  },
);

test.each([
  ['+10m', { inMs: 600_000 }],
  ['2027-01-31T08:00:00Z', { atMs: Date.UTC(2027, 0, 31, 8) }],
  ['2027-01-31T08:00:00.250+02:00', { atMs: Date.UTC(2027, 0, 31, 6, 0, 0, 250) }],
  ['2027-01-31T08:00Z', { atMs: Date.UTC(2027, 0, 31, 8) }],
])('%s is a moment', (text, moment) => {
  expect(parseMoment(text, '--run-at')).toEqual(moment);
});

test.each(['2027-01-31T08:00:00', 'tomorrow', '2027-01-31', '10m', '2027-13-31T08:00:00Z'])(
  '%s is none, and the hint says how to write it',
  (text) => {
    expect(() => parseMoment(text, '--run-at')).toThrow(
      expect.objectContaining({ exit: 'usage', hint: expect.stringContaining('with its zone') }),
    );
  },
);

test('times for people', () => {
  const nowMs = Date.UTC(2027, 0, 31, 8);
  expect(formatTime(nowMs)).toBe('2027-01-31 08:00:00Z');
  expect(formatAge(nowMs - 190_000, nowMs)).toBe('3 min 10 s ago');
  expect(formatAge(nowMs + 12_345, nowMs)).toBe('in 12 s');
  expect(formatAge(nowMs + 400, nowMs)).toBe('now');
});
