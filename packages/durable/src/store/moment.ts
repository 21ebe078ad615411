import type { Moment } from './commands.ts';

/** A moment as a time of the store's clock. */
export function momentMs(moment: Moment, nowMs: number): number {
  return 'atMs' in moment ? moment.atMs : nowMs + moment.inMs;
}
