import { describe, expect, test } from 'vitest';
import { now } from './clock.ts';
import * as format from './format.ts';

describe('numbers, times, words', () => {
  test.each([
    [format.num(12_408), '12,408'],
    [format.bounded(10_000, true), '10,000+'],
    [format.percent(0.068), '6.8 %'],
    [format.percent(1), '100 %'],
    [format.rate(50), '50 per s'],
    [format.rate(0.2), '12 per min'],
    [format.duration(201), '201 ms'],
    [format.duration(34_210), '34.2 s'],
    [format.duration(1_470), '1.47 s'],
    [format.duration(59_960), '1 min'],
    [format.duration(188_000), '3 min 8 s'],
    [format.duration(92 * 60_000), '1 h 32 min'],
    [format.duration(76 * 3_600_000), '3 d 4 h'],
    [format.duration(3_599_600), '1 h'],
    [format.short(31 * 60_000 + 59_000), '31 min'],
    [format.shortId('0mwi9q2dk000zzzz'), '0mwi9q…0zzzz'],
    [format.shortId('order-000042'), 'order-000042'],
    [format.plural(1, 'job'), '1 job'],
    [format.plural(2_140, 'job'), '2,140 jobs'],
    [format.words(2), 'Two'],
    [format.words(11), '11'],
    [format.num(9_007_199_254_740_993n), '9,007,199,254,740,993'],
  ])('%s', (text, expected) => expect(text).toBe(expected));

  test('times are relative to the server, absolute ones have their zone', () => {
    now.value = Date.parse('2026-11-16T20:14:08.000Z');
    expect(format.ago('2026-11-16T19:52:00.000Z')).toBe('22 min ago');
    expect(format.ago('2026-11-16T20:14:26.000Z')).toBe('in 18 s');
    expect(format.since('2026-11-16T18:42:10.000Z')).toBe('18:42');
    expect(format.since('2026-11-13T18:42:10.000Z')).toBe('13 Nov');
    expect(format.absolute('2026-11-16T20:14:08.123Z')).toBe('2026-11-16 20:14:08.123 UTC');
    expect(format.timeMs('2026-11-16T20:14:08.123Z')).toBe('20:14:08.123');
  });
});
