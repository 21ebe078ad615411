/** When people work. All times are those of the wall clock of `timeZone`. */
export interface BusinessHours {
  /** Such as `Europe/Berlin`. */
  readonly timeZone: string;
  /** Minutes since midnight, 0 to 1,439. */
  readonly opensMinute: number;
  /** Minutes since midnight, later than `opensMinute`; 1,440 is the end of the day. */
  readonly closesMinute: number;
  /** 0 is Sunday. */
  readonly days: readonly number[];
  /** Days without work, such as `2026-12-25`. */
  readonly holidays: readonly string[];
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A calendar without a working day within this number of days has none. */
const MAX_DAYS = 3_660;

/**
 * The moment after `fromMs` at which `durationMs` of business hours have passed. On a day on which the clock is changed,
 * the hours between opening and closing count as they really last. `Infinity`: the calendar has no working day.
 *
 * An opening time that does not exist on a day is the moment right after the gap; one that exists twice is the first.
 */
export function afterBusinessHours(
  fromMs: number,
  durationMs: number,
  hours: BusinessHours,
): number {
  const zone = zoneOf(hours.timeZone);
  let leftMs = durationMs;
  // The local date as the UTC time of its midnight: days of a calendar are counted without a time zone.
  const today = Math.floor(zone.wallClock(fromMs) / DAY_MS) * DAY_MS;
  for (let day = today, days = 0; days < MAX_DAYS; day += DAY_MS, days += 1) {
    if (!isWorkingDay(day, hours)) continue;
    const opensMs = zone.momentOf(day + hours.opensMinute * MINUTE_MS);
    const closesMs = zone.momentOf(day + hours.closesMinute * MINUTE_MS);
    const startMs = Math.max(opensMs, fromMs);
    if (closesMs <= startMs) continue;
    if (closesMs - startMs >= leftMs) return startMs + leftMs;
    leftMs -= closesMs - startMs;
  }
  return Infinity;
}

function isWorkingDay(day: number, { days, holidays }: BusinessHours): boolean {
  const date = new Date(day);
  return days.includes(date.getUTCDay()) && !holidays.includes(date.toISOString().slice(0, 10));
}

interface Zone {
  /** The wall clock at a moment, as if it were UTC. */
  wallClock(atMs: number): number;
  /** The first moment at which the wall clock shows at least this time, on the day before or after a change of it too. */
  momentOf(wallMs: number): number;
}

const zones = new Map<string, Zone>();

/** @throws RangeError: no such time zone. */
function zoneOf(timeZone: string): Zone {
  const known = zones.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', era: 'short' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  const wallClock = (atMs: number) => {
    const parts = format.formatToParts(atMs);
    const [year, month, day, hour, minute, second] = PARTS.map((type) =>
      Number(parts.find((part) => part.type === type)?.value),
    );
    return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
  };
  const zone = { wallClock, momentOf: (wallMs: number) => firstMoment(wallMs, wallClock) };
  zones.set(timeZone, zone);
  return zone;
}

const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'];

function firstMoment(wallMs: number, wallClock: Zone['wallClock']): number {
  // No clock was ever changed twice in two days: its offsets before and after are all that there are.
  const before = wallMs - (wallClock(wallMs - DAY_MS) - (wallMs - DAY_MS));
  const after = wallMs - (wallClock(wallMs + DAY_MS) - (wallMs + DAY_MS));
  const shown = [before, after].filter((atMs) => wallClock(atMs) === wallMs);
  if (shown.length > 0) return Math.min(...shown);
  // The clock jumps over this time: the change is between the two.
  let low = Math.min(before, after);
  let high = Math.max(before, after);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (wallClock(middle) >= wallMs) high = middle;
    else low = middle;
  }
  return high;
}
