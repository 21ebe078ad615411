import type { Stage } from './stage.ts';

/** One attempt on a timeline: when it ended, counted from the first one, and how. */
export interface Moment {
  readonly atMs: number;
  readonly success: boolean;
}

/** Narrower than this, two marks in a row would have no room for their times. */
const MIN_GAP = 6;
/** Room for the last time, which begins below the last mark. */
const TIME_WIDTH = 8;

/**
 * Attempts as marks on a line, in proportion to time, with the times below:
 *
 * ```
 * ✗───────✗─────────────────✓
 * 0       193               602 ms
 * ```
 */
export function drawTimeline(
  { paint }: Pick<Stage, 'paint'>,
  moments: readonly Moment[],
  columns: number,
): readonly [line: string, times: string] {
  const totalMs = moments.at(-1)?.atMs ?? 0;
  const scale = totalMs > 0 ? (columns - TIME_WIDTH) / totalMs : 0;
  let line = '';
  let times = '';
  let column = 0;
  for (const [index, { atMs, success }] of moments.entries()) {
    const next = index === 0 ? 0 : Math.max(column + MIN_GAP, Math.round(atMs * scale));
    line += paint('dim', '─'.repeat(Math.max(0, next - column - 1)));
    line += success ? paint('green', '✓') : paint('red', '✗');
    times = times.padEnd(next) + Math.round(atMs);
    column = next;
  }
  return [line, paint('dim', `${times} ms`)];
}
