import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_TIERS, deadlinesOf, nextTierOf, tierOf } from './tiers.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-11-16T12:00:00Z');
const tier = (stuck: number, ageMs: number | undefined, failed = 0) => {
  const stuckSinceMs = ageMs === undefined ? undefined : NOW - ageMs;
  return tierOf({ stuck, failed, stuckSinceMs }, NOW, DEFAULT_TIERS);
};

describe('the next tier, if nothing but time changes', () => {
  const next = (stuck: number, ageMs: number | undefined, now: number) => {
    const stuckSinceMs = ageMs === undefined ? undefined : NOW - ageMs;
    const found = nextTierOf({ stuck, failed: 0, stuckSinceMs }, now, DEFAULT_TIERS);
    return found && [found.tier, found.atMs - NOW];
  };
  it.each([
    ['one item: 2 after 24 h', 1, HOUR, 1, [2, DAY - HOUR]],
    ['many items: 2 after an hour', 51, HOUR / 2, 1, [2, HOUR / 2]],
    ['from 2: 4 after 7 days', 1, DAY, 2, [4, 6 * DAY]],
    ['nobody knows since when', 51, undefined, 1, undefined],
    ['nothing is stuck', 0, DAY, 1, undefined],
    ['there is no higher one', 1, 8 * DAY, 4, undefined],
  ])('%s', (_, stuck, ageMs, now, expected) => {
    expect(next(stuck, ageMs, now)).toEqual(expected);
  });
});

describe('the four tiers', () => {
  it.each([
    ['nothing is wrong', 0, undefined, 0, 0],
    ['1: automatic, 0 to 24 h', 1, 0, 0, 1],
    ['1: until 24 h', 50, DAY - 1, 0, 1],
    ['2: at 24 h', 1, DAY, 0, 2],
    ['2: more than 50 stuck', 51, HOUR, 0, 2],
    ['1: more than 50 jobs that failed a minute ago', 51, HOUR / 60, 0, 1],
    ['1: 50 are not more than 50', 50, HOUR, 0, 1],
    ['2: more than 50 stuck, nobody knows since when', 51, undefined, 0, 2],
    ['1: one stuck, nobody knows since when', 1, undefined, 0, 1],
    ['3: retries are used up', 0, undefined, 1, 3],
    ['3: 1,000 failed', 0, undefined, 1_000, 3],
    ['4: more than 1,000 failed', 0, undefined, 1_001, 4],
    ['3: stuck for almost 7 days, and one failed', 1, 7 * DAY - 1, 1, 3],
    ['4: stuck for 7 days', 1, 7 * DAY, 0, 4],
    ['2: an old time without stuck items says nothing', 51, 2 * DAY, 0, 2],
    ['0: an old time without items says nothing', 0, 9 * DAY, 0, 0],
  ])('%s', (_, stuck, ageMs, failed, expected) => {
    expect(tier(stuck, ageMs, failed)).toBe(expected);
  });

  it('can be others', () => {
    const [warning, critical] = DEFAULT_TIERS;
    if (warning === undefined || critical === undefined) throw new Error('no tiers');
    const own = [
      { ...warning, afterMs: HOUR },
      { ...critical, failedAbove: 5 },
    ];
    expect(tierOf({ stuck: 1, failed: 5, stuckSinceMs: NOW - HOUR }, NOW, own)).toBe(2);
    expect(tierOf({ stuck: 0, failed: 6 }, NOW, own)).toBe(3);
    expect(tierOf({ stuck: 0, failed: 6_000 }, NOW, own)).toBe(3);
  });

  it('never fall when more is stuck, more has failed or more time has passed', () => {
    const number = fc.integer({ min: 0, max: 2_000 });
    const age = fc.integer({ min: 0, max: 10 * DAY });
    fc.assert(
      fc.property(number, number, age, number, number, age, (stuck, failed, ageMs, a, b, c) => {
        const more = tier(stuck + a, ageMs + c, failed + b);
        expect(more).toBeGreaterThanOrEqual(tier(stuck, ageMs, failed));
      }),
    );
  });
});

describe('the time for a response', () => {
  const hours = {
    timeZone: 'Europe/Berlin',
    ...{ opensMinute: 540, closesMinute: 1_020, days: [1, 2, 3, 4, 5], holidays: [] },
  };
  const times = (at: string, index: number) => {
    const given = DEFAULT_TIERS[index];
    if (given === undefined) throw new Error('no tier');
    const { respondByMs, resolveByMs } = deadlinesOf(given, Date.parse(at), hours);
    return [respondByMs, resolveByMs].map((ms) => (ms ? new Date(ms).toISOString() : undefined));
  };

  it.each([
    [
      '2: within 4 business hours',
      '2026-11-20T15:00:00Z',
      0,
      '2026-11-23T11:00:00.000Z',
      undefined,
    ],
    ['3: within 1 h', '2026-11-21T15:00:00Z', 1, '2026-11-21T16:00:00.000Z', undefined],
    [
      '4: at once, resolved within 24 h',
      '2026-11-21T15:00:00Z',
      2,
      '2026-11-21T15:00:00.000Z',
      '2026-11-22T15:00:00.000Z',
    ],
  ])('%s', (_, at, index, respondBy, resolveBy) => {
    expect(times(at, index)).toEqual([respondBy, resolveBy]);
  });

  it('a calendar without a working day has no time for a response', () => {
    const [warning] = DEFAULT_TIERS;
    expect(
      warning && deadlinesOf(warning, NOW, { ...hours, days: [] }).respondByMs,
    ).toBeUndefined();
  });
});
