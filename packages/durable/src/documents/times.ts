import { durationText } from '../log/duration-text.ts';

/**
 * A time as people say it: `0`, `250 ms`, `1.5 s`, `1 min 30 s`, `2 h`, `1 d 4 h`. Below a minute it is exact to the
 * millisecond; above, it names the two largest units and rounds to the smaller one.
 */
export function formatDuration(durationMs: number): string {
  return durationText(durationMs);
}

/** A time for people: UTC to the second, `2027-01-31 08:00:00Z`. A stored number may not be a time. */
export function formatTime(atMs: number): string {
  if (!isDate(atMs)) return `no date (${atMs})`;
  return `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

/** How long ago or ahead, roughly: `3 min ago`, `in 45 s`, `now`. */
export function formatAge(atMs: number, nowMs: number): string {
  const awayMs = Math.abs(atMs - nowMs);
  if (awayMs < 1_000) return 'now';
  // As coarse as people need it: not 12.345 s, and not 1 h 12 min 34 s.
  const unitMs = awayMs < 3_600_000 ? 1_000 : awayMs < 86_400_000 ? 60_000 : 3_600_000;
  const text = durationText(Math.round(awayMs / unitMs) * unitMs);
  return atMs > nowMs ? `in ${text}` : `${text} ago`;
}

/** When something is due: `in 45 s`, `due now`, `due since 3 s`. A time in the past is not the time of the next event. */
export function formatDue(atMs: number, nowMs: number): string {
  const text = formatAge(atMs, nowMs);
  if (atMs - nowMs >= 1_000) return text;
  return text === 'now' ? 'due now' : `due since ${text.replace(/ ago$/, '')}`;
}

/** Whether a `Date` can have this time. */
export function isDate(atMs: number): boolean {
  return Number.isFinite(new Date(atMs).getTime());
}

/** A time as JSON prints it: ISO 8601. */
export function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** The same; `null` where there is no time, or the number is not a time. */
export function isoTime(atMs: number | undefined): string | null {
  return atMs === undefined || !isDate(atMs) ? null : new Date(atMs).toISOString();
}

/** `just now`, `3 min ago`, `in 45 s` */
export function ageText(atMs: number, nowMs: number): string {
  const text = formatAge(atMs, nowMs);
  return text === 'now' ? 'just now' : text;
}

/** `12 min`, as coarse as an age is. */
export function spanText(durationMs: number): string {
  return formatAge(durationMs, 0).replace(/^in /, '');
}
