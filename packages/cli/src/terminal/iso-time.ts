/** A time as JSON prints it: ISO 8601; `null` where there is none. */
export function isoTime(atMs: number | undefined): string | null {
  return atMs === undefined ? null : new Date(atMs).toISOString();
}
