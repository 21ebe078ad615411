import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lastTick, nextTick, type SchedulePlan } from './plan.ts';

function ticks(cron: string, timeZone: string, from: string, until: string): string[] {
  const found: string[] = [];
  let tickMs = nextTick({ cron, timeZone }, Date.parse(from));
  while (tickMs !== undefined && tickMs <= Date.parse(until)) {
    found.push(new Date(tickMs).toISOString().replace(':00.000Z', 'Z'));
    tickMs = nextTick({ cron, timeZone }, tickMs);
  }
  return found;
}

describe('right over daylight saving: both days in three zones', () => {
  test('a time of day ticks once on each day, also on the day without it', () => {
    // 02:30 does not exist on 29 March in Berlin and on 8 March in New York: the first moment after the gap.
    expect(ticks('30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00Z', '2026-03-31T00:00Z')).toEqual([
      '2026-03-28T01:30Z',
      '2026-03-29T01:00Z',
      '2026-03-30T00:30Z',
    ]);
    expect(
      ticks('30 2 * * *', 'America/New_York', '2026-03-07T00:00Z', '2026-03-10T00:00Z'),
    ).toEqual(['2026-03-07T07:30Z', '2026-03-08T07:00Z', '2026-03-09T06:30Z']);
    // Lord Howe moves its clocks by half an hour: 02:15 does not exist on 4 October.
    expect(
      ticks('15 2 * * *', 'Australia/Lord_Howe', '2026-10-02T00:00Z', '2026-10-05T00:00Z'),
    ).toEqual(['2026-10-02T15:45Z', '2026-10-03T15:30Z', '2026-10-04T15:15Z']);
  });

  test('a time of day ticks once on the day that has it twice', () => {
    expect(ticks('30 2 * * *', 'Europe/Berlin', '2026-10-24T00:00Z', '2026-10-27T00:00Z')).toEqual([
      '2026-10-24T00:30Z',
      '2026-10-25T00:30Z',
      '2026-10-26T01:30Z',
    ]);
    expect(
      ticks('30 1 * * *', 'America/New_York', '2026-10-31T00:00Z', '2026-11-03T00:00Z'),
    ).toEqual(['2026-10-31T05:30Z', '2026-11-01T05:30Z', '2026-11-02T06:30Z']);
    expect(
      ticks('45 1 * * *', 'Australia/Lord_Howe', '2026-04-03T00:00Z', '2026-04-06T00:00Z'),
    ).toEqual(['2026-04-03T14:45Z', '2026-04-04T14:45Z', '2026-04-05T15:15Z']);
  });

  test('a pattern of hours follows the clock: 23 ticks on one day and 25 on the other', () => {
    const perDay = (timeZone: string, from: string, until: string) =>
      ticks('0 * * * *', timeZone, from, until).length;
    expect(perDay('Europe/Berlin', '2026-03-28T22:59Z', '2026-03-29T21:59Z')).toBe(23);
    expect(perDay('Europe/Berlin', '2026-10-24T21:59Z', '2026-10-25T22:59Z')).toBe(25);
    expect(perDay('America/New_York', '2026-03-08T04:59Z', '2026-03-09T03:59Z')).toBe(23);
    expect(perDay('America/New_York', '2026-11-01T03:59Z', '2026-11-02T04:59Z')).toBe(25);
    expect(perDay('Australia/Lord_Howe', '2026-10-03T13:29Z', '2026-10-04T12:59Z')).toBe(23);
    expect(perDay('Australia/Lord_Howe', '2026-04-04T12:59Z', '2026-04-05T13:29Z')).toBe(24);
  });

  test('an interval does not know of it', () => {
    const everyMs = 6 * 3_600_000;
    const from = Date.parse('2026-03-28T18:00Z');
    const found = [0, 1, 2, 3].map((n) => nextTick({ everyMs }, from + n * everyMs));
    expect(found.map((tickMs) => Number(tickMs) - from)).toEqual(
      [1, 2, 3, 4].map((n) => n * everyMs),
    );
  });
});

const times = fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2027-12-31') });
const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe');
const plans: fc.Arbitrary<SchedulePlan> = fc.oneof(
  fc.record({ everyMs: fc.integer({ min: 1_000, max: 90_000_000 }) }),
  fc.record({
    cron: fc.constantFrom('30 2 * * *', '*/15 * * * *', '0 1-3 * * *', '0 0 * * 1', '15 1 29 * *'),
    timeZone: zones,
  }),
);

test('the grid does not depend on when somebody looks', () => {
  fc.assert(
    fc.property(plans, times, fc.double({ min: 0, max: 1, noNaN: true }), (plan, fromMs, part) => {
      const first = Number(nextTick(plan, fromMs));
      expect(first).toBeGreaterThan(fromMs);
      // Any moment before the tick finds the same one.
      expect(nextTick(plan, fromMs + Math.floor((first - fromMs - 1) * part))).toBe(first);
    }),
    { numRuns: 500 },
  );
});

test('the last tick of a span is the one after which none comes, and the others are counted', () => {
  fc.assert(
    fc.property(
      plans,
      times,
      fc.integer({ min: 0, max: 3 * 86_400_000 }),
      (plan, fromMs, forMs) => {
        const walked: number[] = [];
        let tickMs = nextTick(plan, fromMs);
        while (tickMs !== undefined && tickMs <= fromMs + forMs && walked.length < 400) {
          walked.push(tickMs);
          tickMs = nextTick(plan, tickMs);
        }
        const found = lastTick(plan, fromMs, fromMs + forMs);
        if (walked.length === 0) expect(found).toBeUndefined();
        else if (walked.length < 200) {
          expect(found).toEqual({ tickMs: walked.at(-1), earlier: walked.length - 1 });
        } else
          expect(Number(nextTick(plan, Number(found?.tickMs)))).toBeGreaterThan(fromMs + forMs);
      },
    ),
    { numRuns: 200 },
  );
});

test('a year without a worker costs no more than a few hundred ticks', () => {
  const plan = { cron: '* * * * * *', timeZone: 'UTC' };
  const now = Date.parse('2026-11-16T12:00:00.500Z');
  const found = lastTick(plan, Date.parse('2025-11-16'), now);
  expect(found).toEqual({ tickMs: now - 500, earlier: 200 });
});
