/** The times of a timeline, in milliseconds. The server sends them: nothing is computed here but places on the screen. */
export interface TimelineTimes {
  readonly nowMs: number;
  readonly startMs: number;
  /** Absent: it goes on. */
  readonly endMs?: number | undefined;
  readonly rows: readonly {
    readonly startedMs: number;
    readonly endedMs: number;
    readonly waits: readonly { readonly fromMs: number; readonly untilMs: number }[];
  }[];
  /** `undefined`: no time is known. */
  readonly planned: readonly (number | undefined)[];
  readonly events: readonly number[];
}

export interface Span {
  readonly left: number;
  readonly width: number;
}

export interface TimelineLayout {
  readonly rows: readonly { readonly bar: Span; readonly waits: readonly Span[] }[];
  readonly planned: readonly Span[];
  readonly events: readonly number[];
  /** The place of now; absent where the life is over. */
  readonly now?: number | undefined;
  readonly ticks: readonly { readonly at: number; readonly ms: number }[];
  readonly hasSeconds: boolean;
}

export type Steps = 'scale' | 'even';

export const MIN_BAR = 4;
const GHOST = 14;
const GHOST_GAP = 14;
const EDGE = 6;
const SECOND = 1_000;
const TICKS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600];
const DAY = 86_400;
const TICK_ROOM = 70;

/** Where everything stands on an axis of `width` pixels. Pure. */
export function layoutTimeline(times: TimelineTimes, width: number, steps: Steps): TimelineLayout {
  const unknown = times.planned.filter((at) => at === undefined).length;
  const room = Math.min(unknown * (GHOST + GHOST_GAP) + EDGE, width / 2);
  const axis = Math.max(MIN_BAR * 3, width - room);
  const place = steps === 'even' ? evenPlaces(times, axis) : scaledPlaces(times, axis);
  const lastMs = Math.max(...instantsOf(times));
  let ghostAt = place(lastMs) + GHOST_GAP;
  const planned = times.planned.map((at): Span => {
    const left = at === undefined ? ghostAt : place(at);
    ghostAt = Math.max(ghostAt, left + GHOST + GHOST_GAP);
    return inside({ left, width: GHOST }, width);
  });
  const { ticks, hasSeconds } = ticksOf(times, place, steps, axis);
  return {
    rows: times.rows.map((row) => rowLayout(row, place, axis)),
    planned,
    events: times.events.map(place),
    now: times.endMs === undefined ? place(times.nowMs) : undefined,
    ticks,
    hasSeconds,
  };
}

/** A life much longer than its shortest wait shows nothing to scale. */
export function defaultSteps({ rows, startMs, nowMs, endMs = nowMs }: TimelineTimes): Steps {
  const waits = rows.flatMap((row) => row.waits.map(({ fromMs, untilMs }) => untilMs - fromMs));
  const shortest = Math.min(...waits.filter((wait) => wait > 0));
  return endMs - startMs > 100 * shortest ? 'even' : 'scale';
}

function rowLayout(
  { startedMs, endedMs, waits }: TimelineTimes['rows'][number],
  place: (ms: number) => number,
  axis: number,
) {
  const left = place(startedMs);
  const bar = inside({ left, width: Math.max(MIN_BAR, place(endedMs) - left) }, axis);
  // A bar is at least 4 px, so it may cover the beginning of its wait.
  let free = bar.left + bar.width;
  const spans = waits.map(({ fromMs, untilMs }): Span => {
    const from = Math.max(free, place(fromMs));
    free = Math.max(from, place(untilMs));
    return { left: from, width: free - from };
  });
  return { bar, waits: spans };
}

function inside({ left, width }: Span, axis: number): Span {
  return { left: Math.max(0, Math.min(left, axis - width)), width };
}

function instantsOf({ rows, planned, events, nowMs, startMs, endMs }: TimelineTimes): number[] {
  return [
    startMs,
    endMs ?? nowMs,
    ...rows.flatMap((row) => [row.startedMs, row.endedMs]),
    ...rows.flatMap((row) => row.waits.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs])),
    ...planned.filter((at) => at !== undefined),
    ...events.filter((at) => at >= startMs),
  ];
}

function scaledPlaces(times: TimelineTimes, axis: number): (ms: number) => number {
  const instants = instantsOf(times);
  const from = Math.min(...instants);
  const span = Math.max(1, Math.max(...instants) - from);
  return (ms) => Math.max(0, Math.min(axis, ((ms - from) / span) * axis));
}

/** Every instant is one step from the next, whatever the time between. */
function evenPlaces(times: TimelineTimes, axis: number): (ms: number) => number {
  const marks = [...new Set(instantsOf(times))].sort((a, b) => a - b);
  const step = axis / Math.max(1, marks.length - 1);
  return (ms) => {
    const next = marks.findIndex((mark) => mark >= ms);
    if (next < 0) return axis;
    const [before = ms, after = ms] = [marks[next - 1], marks[next]];
    if (next === 0 || after === before) return next * step;
    return (next - 1 + (ms - before) / (after - before)) * step;
  };
}

function ticksOf(
  times: TimelineTimes,
  place: (ms: number) => number,
  steps: Steps,
  axis: number,
): Pick<TimelineLayout, 'ticks' | 'hasSeconds'> {
  const instants = instantsOf(times);
  const fromMs = Math.min(...instants);
  const toMs = Math.max(...instants);
  const isFree = (at: number, before: number) => at - before >= TICK_ROOM;
  const ticks: { at: number; ms: number }[] = [];
  const nowAt = times.endMs === undefined ? place(times.nowMs) : -Infinity;
  const add = (ms: number) => {
    const at = place(ms);
    const isNearNow = Math.abs(at - nowAt) < TICK_ROOM;
    if (isFree(at, ticks.at(-1)?.at ?? -Infinity) && !isNearNow) ticks.push({ at, ms });
  };
  if (steps === 'even') {
    for (const { startedMs } of times.rows) add(startedMs);
    return { ticks, hasSeconds: true };
  }
  const most = Math.max(1, Math.floor(axis / TICK_ROOM));
  const wanted = (toMs - fromMs) / SECOND / most;
  const step = TICKS.find((each) => each >= wanted) ?? Math.ceil(wanted / DAY) * DAY;
  const stepMs = step * SECOND;
  for (let ms = Math.ceil(fromMs / stepMs) * stepMs; ms <= toMs; ms += stepMs) add(ms);
  return { ticks, hasSeconds: step < 60 };
}
