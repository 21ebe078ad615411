import { formatDuration } from './duration.ts';

/** A time for people: UTC to the second, `2027-01-31 08:00:00Z`. */
export function formatTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

/** How long ago or ahead, roughly: `3 min ago`, `in 45 s`, `now`. */
export function formatAge(atMs: number, nowMs: number): string {
  const awayMs = Math.abs(atMs - nowMs);
  if (awayMs < 1_000) return 'now';
  // Whole seconds: nobody needs to know that something was 12.345 s ago.
  const text = formatDuration(awayMs < 60_000 ? Math.round(awayMs / 1_000) * 1_000 : awayMs);
  return atMs > nowMs ? `in ${text}` : `${text} ago`;
}
