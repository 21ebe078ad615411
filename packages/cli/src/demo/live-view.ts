import { stripVTControlCharacters } from 'node:util';
import type { Clock } from '@redrive/core';
import type { Screen } from '../terminal/screen.ts';

const REDRAW_MS = 500;

/**
 * Draws the lines of `picture` again and again in place, until stopped. Only for terminals. The last one stays.
 *
 * @param picture what to draw, with the rows that there is room for.
 */
export function liveView(
  { screen, clock, write }: { screen: Screen; clock: Clock; write: (text: string) => void },
  picture: (rows: number, isRunning: boolean) => Promise<readonly string[]>,
): () => Promise<void> {
  let drawnRows = 0;
  let stopped = false;
  let timer = clock.setTimer(REDRAW_MS, () => undefined);
  let drawing = draw();

  async function draw(): Promise<void> {
    // A store that is away for a moment leaves the picture as it was.
    const lines = await picture(screen.rows - 1, !stopped).catch(() => undefined);
    if (lines !== undefined) {
      const up = drawnRows === 0 ? '' : `\x1b[${drawnRows}A`;
      // Line by line: some terminals keep every picture that is cleared as a whole in their history.
      write(`${up}\r${lines.map((line) => `\x1b[2K${line}\n`).join('')}\x1b[0J`);
      drawnRows = rowsOf(lines, screen.columns);
    }
    if (stopped) return;
    timer = clock.setTimer(REDRAW_MS, () => {
      if (!stopped) drawing = draw();
    });
  }

  return async () => {
    timer.cancel();
    stopped = true;
    await drawing;
    await draw();
  };
}

/** A command that is longer than the window takes more than one row: it is never cut, because people copy it. */
export function rowsOf(lines: readonly string[], columns: number): number {
  return lines.reduce((rows, line) => {
    const { length } = [...stripVTControlCharacters(line)];
    return rows + Math.max(1, Math.ceil(length / columns));
  }, 0);
}
