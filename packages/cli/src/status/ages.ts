import { formatAge } from '../terminal/times.ts';

/** `just now`, `3 min ago`, `in 45 s` */
export function ageText(atMs: number, nowMs: number): string {
  const text = formatAge(atMs, nowMs);
  return text === 'now' ? 'just now' : text;
}

/** `12 min`, as coarse as an age is. */
export function spanText(durationMs: number): string {
  return formatAge(durationMs, 0).replace(/^in /, '');
}
