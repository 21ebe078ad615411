import { isDate } from './times.ts';

/** A time as JSON prints it: ISO 8601; `null` where there is none, or what is there is none. */
export function isoTime(atMs: number | undefined): string | null {
  return atMs === undefined || !isDate(atMs) ? null : new Date(atMs).toISOString();
}
