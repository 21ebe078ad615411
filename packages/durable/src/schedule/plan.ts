import { Cron } from 'croner';

/**
 * When a schedule ticks. An interval ticks at the multiples of `everyMs` since 1970, so a restart does not move it. A cron
 * expression ticks by the wall clock of its time zone: a time of day that does not exist on a day ticks right after the
 * gap, and one that exists twice ticks the first time. Patterns of hours or minutes (`0 * * * *`) follow the clock.
 */
export type SchedulePlan =
  | { readonly everyMs: number }
  | { readonly cron: string; readonly timeZone: string };

/** Ticks of a cron expression that are counted after a long pause: each costs a tenth of a millisecond. */
const MOST_COUNTED = 200;
const LOOK_BACK_SECONDS = [60, 600, 3_600, 86_400, 8 * 86_400, 32 * 86_400, 366 * 86_400];

/** Where a schedule begins. With `startNow` the last tick before it is due at once. */
export function firstCursor(
  { plan, startNow }: { readonly plan: SchedulePlan; readonly startNow?: boolean | undefined },
  nowMs: number,
): number {
  return startNow && 'everyMs' in plan ? nowMs - plan.everyMs : nowMs;
}

/** The first tick after a time. `undefined`: there is none. @throws Error: the problem of a cron expression. */
export function nextTick(plan: SchedulePlan, afterMs: number): number | undefined {
  if ('everyMs' in plan) return (Math.floor(afterMs / plan.everyMs) + 1) * plan.everyMs;
  return cronOf(plan).nextRun(new Date(afterMs))?.getTime();
}

/**
 * The last tick after `afterMs` and not after `upToMs`, and the number of ticks before it: exact for an interval, at most
 * 200 for a cron expression.
 */
export function lastTick(
  plan: SchedulePlan,
  afterMs: number,
  upToMs: number,
): { readonly tickMs: number; readonly earlier: number } | undefined {
  if ('everyMs' in plan) {
    const last = Math.floor(upToMs / plan.everyMs);
    const ticks = last - Math.floor(afterMs / plan.everyMs);
    return ticks <= 0 ? undefined : { tickMs: last * plan.everyMs, earlier: ticks - 1 };
  }
  const counted = ticksIn(plan, afterMs, upToMs, MOST_COUNTED + 1);
  const tickMs = counted.at(-1);
  if (tickMs === undefined) return undefined;
  if (counted.length <= MOST_COUNTED) return { tickMs, earlier: counted.length - 1 };
  // Ever longer spans back from the end: a year of seconds is too many to walk through.
  for (const seconds of LOOK_BACK_SECONDS) {
    const newest = ticksIn(plan, upToMs - seconds * 1_000, upToMs, Infinity).at(-1);
    if (newest !== undefined) return { tickMs: newest, earlier: MOST_COUNTED };
  }
  return { tickMs, earlier: MOST_COUNTED };
}

function ticksIn(plan: SchedulePlan, afterMs: number, upToMs: number, atMost: number): number[] {
  const ticks: number[] = [];
  let tickMs = nextTick(plan, afterMs);
  while (tickMs !== undefined && tickMs <= upToMs && ticks.length < atMost) {
    ticks.push(tickMs);
    tickMs = nextTick(plan, tickMs);
  }
  return ticks;
}

/** Parsed expressions: a worker asks for the same few again and again. */
const parsed = new Map<string, Cron>();

function cronOf({ cron, timeZone }: Extract<SchedulePlan, { cron: string }>): Cron {
  const key = `${timeZone} ${cron}`;
  const known = parsed.get(key);
  if (known !== undefined) return known;
  if (parsed.size >= 1_000) parsed.clear();
  const made = new Cron(cron, { timezone: timeZone, mode: '5-or-6-parts', paused: true });
  parsed.set(key, made);
  return made;
}
