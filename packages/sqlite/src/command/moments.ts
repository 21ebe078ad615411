import type { Moment } from '@redrive/durable/store';

// Times are whole milliseconds in the file, rounded up: nothing shall be early.

/** The time of a moment that is given as one. */
export function atMsOf(moment: Moment | undefined): number | null {
  return moment !== undefined && 'atMs' in moment ? Math.ceil(moment.atMs) : null;
}

/** How far a moment is away that is given as a distance. */
export function inMsOf(moment: Moment | undefined): number | null {
  return moment !== undefined && 'inMs' in moment ? Math.ceil(moment.inMs) : null;
}
