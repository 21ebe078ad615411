import { isoTime } from './iso-time.ts';
import { formatAge } from './times.ts';

/** A cell of a list. `--plain` prints the exact value where a table is rounded, relative or in words. */
export type Cell = string | { readonly shown: string; readonly exact: string };

/** `3 min ago` in a table, an ISO time in `--plain`. */
export function ageCell(atMs: number | undefined, nowMs: number): Cell {
  return atMs === undefined ? '' : timeCell(formatAge(atMs, nowMs), atMs);
}

/** A time in other words than `formatAge` has. */
export function timeCell(shown: string, atMs: number): Cell {
  return { shown, exact: isoTime(atMs) ?? shown };
}

export function shownText(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.shown;
}

export function exactText(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.exact;
}
