import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterBusinessHours, type BusinessHours } from './business-hours.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
const BERLIN: BusinessHours = {
  timeZone: 'Europe/Berlin',
  ...{ opensMinute: 9 * 60, closesMinute: 17 * 60 },
  days: [1, 2, 3, 4, 5],
  holidays: ['2026-12-25'],
};
const after = (from: string, hours: number, calendar = BERLIN) =>
  new Date(afterBusinessHours(Date.parse(from), hours * HOUR, calendar)).toISOString();

describe('four business hours', () => {
  it.each([
    ['within a day', '2026-11-16T08:30:00Z', '2026-11-16T12:30:00.000Z'],
    ['from before the day', '2026-11-16T03:00:00Z', '2026-11-16T12:00:00.000Z'],
    ['over the night', '2026-11-16T14:00:00Z', '2026-11-17T10:00:00.000Z'],
    ['over a weekend', '2026-11-20T15:00:00Z', '2026-11-23T11:00:00.000Z'],
    ['over a holiday and a weekend', '2026-12-24T15:00:00Z', '2026-12-28T11:00:00.000Z'],
    ['up to the very end of a day', '2026-11-16T12:00:00Z', '2026-11-16T16:00:00.000Z'],
    // On Sunday 2026-03-29 the clock goes from 02:00 to 03:00, on Sunday 2026-10-25 from 03:00 to 02:00.
    ['over the weekend of the summer time', '2026-03-27T15:00:00Z', '2026-03-30T10:00:00.000Z'],
    ['over the weekend of the winter time', '2026-10-23T14:00:00Z', '2026-10-26T11:00:00.000Z'],
  ])('%s', (_, from, until) => {
    expect(after(from, 4)).toBe(until);
  });

  it('count as they last on the day of the change itself', () => {
    const always = { ...BERLIN, opensMinute: 0, closesMinute: 1_440, days: [0, 1, 2, 3, 4, 5, 6] };
    expect(after('2026-03-28T23:00:00Z', 23, always)).toBe('2026-03-29T22:00:00.000Z');
    expect(after('2026-10-24T22:00:00Z', 25, always)).toBe('2026-10-25T23:00:00.000Z');
    const night = { ...always, opensMinute: 150, closesMinute: 240 };
    // 02:30 does not exist: it opens at 03:00, summer time.
    expect(after('2026-03-28T23:00:00Z', 1, night)).toBe('2026-03-29T02:00:00.000Z');
  });

  it('never end where no day is a working day', () => {
    expect(afterBusinessHours(0, HOUR, { ...BERLIN, days: [] })).toBe(Infinity);
  });
});

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe', // Half an hour.
  'America/Sao_Paulo', // At midnight, until 2019.
  'Pacific/Apia', // 2011-12-30 did not exist.
  'Asia/Kathmandu',
  'UTC',
];
/** Days around which clocks change. */
const CHANGES = [
  ...['2026-03-29', '2026-10-25', '2026-03-08', '2026-11-01', '2026-04-05', '2026-10-04'],
  ...['2018-11-04', '2018-02-18', '2011-12-30', '2026-07-01'],
].map((day) => Date.parse(day));

/** In minutes. All offsets are multiples of it. */
const STEP = 15;
const steps = (min: number, max: number) => fc.integer({ min, max }).map((n) => n * STEP);

const calendars = fc
  .record({
    timeZone: fc.constantFrom(...ZONES),
    opensMinute: steps(0, 95),
    closesMinute: steps(1, 96),
    days: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 3 }),
    change: fc.constantFrom(...CHANGES),
    fromMinute: steps(-192, 192),
    minutes: steps(0, 40),
    isHoliday: fc.boolean(),
  })
  .filter(({ opensMinute, closesMinute }) => opensMinute < closesMinute);

/** Step by step: the slow way, which knows nothing about offsets. */
function stepByStep(fromMs: number, minutes: number, hours: BusinessHours): number {
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone: hours.timeZone, dateStyle: 'short', timeStyle: 'short' },
  });
  const open = new Map<string, 'before' | 'open' | 'closed'>();
  let left = minutes;
  // A day back, so that it knows the state of the day on which it begins.
  for (let atMs = fromMs - 1_500 * MINUTE; ; atMs += STEP * MINUTE) {
    if (atMs >= fromMs && left === 0) return atMs;
    const [date = '', time = ''] = format.format(atMs).split(' ');
    const [hour = 0, minute = 0] = time.split(':').map(Number);
    const wall = hour * 60 + minute;
    let state = open.get(date) ?? 'before';
    if (state === 'before' && wall >= hours.opensMinute) state = 'open';
    if (state === 'open' && wall >= hours.closesMinute) state = 'closed';
    open.set(date, state);
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
    const isWorking = hours.days.includes(weekday) && !hours.holidays.includes(date);
    if (atMs >= fromMs && isWorking && state === 'open') left -= STEP;
  }
}

it('agrees with a clock that is read step by step, over daylight saving in seven zones', () => {
  fc.assert(
    fc.property(calendars, ({ change, fromMinute, minutes, isHoliday, ...given }) => {
      const holidays = isHoliday ? [new Date(change).toISOString().slice(0, 10)] : [];
      const hours = { ...given, holidays };
      const fromMs = change + fromMinute * MINUTE;
      const until = afterBusinessHours(fromMs, minutes * MINUTE, hours);
      const slow = stepByStep(fromMs, minutes, hours);
      // Nothing is left: any moment until the next opening is right.
      if (minutes > 0) expect(until).toBe(slow);
    }),
    { numRuns: 60 },
  );
});

it('later hours end later, and never before the time itself has passed', () => {
  fc.assert(
    fc.property(calendars, ({ change, fromMinute, minutes, isHoliday: _, ...given }) => {
      const hours = { ...given, holidays: [] };
      const fromMs = change + fromMinute * MINUTE;
      const until = afterBusinessHours(fromMs, minutes * MINUTE, hours);
      expect(until).toBeGreaterThanOrEqual(fromMs + minutes * MINUTE);
      expect(afterBusinessHours(fromMs, (minutes + 1) * MINUTE, hours)).toBeGreaterThan(until);
    }),
    { numRuns: 200 },
  );
});
