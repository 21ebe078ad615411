import { stripVTControlCharacters } from 'node:util';
import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable';
import { breakers, pauses } from '@redrive/durable/control';
import type { Io } from '../terminal/io.ts';
import { wrapWords } from '../terminal/printable.ts';
import type { RecentLines } from './recent-lines.ts';
import { deadImport, nextStepLines, summaryLines, waitingText } from './summary-lines.ts';

interface ViewParts {
  readonly io: Io;
  readonly clock: Clock;
  readonly store: FullStore;
  readonly url: string;
  readonly recent: RecentLines;
  /** The address of the console. */
  readonly link: string | undefined;
}

const REDRAW_MS = 300;
const MIN_RECENT = 3;

/** Draws the state of the demo again and again in place, until stopped. Only for terminals. */
export function liveView(parts: ViewParts): () => Promise<void> {
  const { io, clock } = parts;
  let drawnRows = 0;
  let stopped = false;
  let drawing = draw();

  async function draw(): Promise<void> {
    // A store that is away for a moment leaves the picture as it was.
    const lines = await picture(parts, !stopped).catch(() => undefined);
    if (lines !== undefined) {
      const up = drawnRows === 0 ? '' : `\x1b[${drawnRows}A`;
      // Line by line: some terminals keep every picture that is cleared as a whole in their history.
      io.stdout(`${up}\r${lines.map((line) => `\x1b[2K${line}\n`).join('')}\x1b[0J`);
      drawnRows = rowsOf(lines, io.screen.columns);
    }
    if (stopped) return;
    await new Promise<void>((resolve) => clock.setTimer(REDRAW_MS, resolve));
    if (!stopped) drawing = draw();
  }

  return async () => {
    stopped = true;
    await drawing;
    await draw();
  };
}

async function picture(
  { io, store, url, recent, link }: ViewParts,
  isRunning: boolean,
): Promise<string[]> {
  const { screen } = io;
  const { paint } = screen;
  const [counts, deadId, paused, named] = await Promise.all([
    store.counts(),
    deadImport(store),
    pauses(store),
    breakers(store),
  ]);
  const isPaused = paused.some(({ scope, name }) => scope === 'queue' && name === 'default');
  const state = isPaused
    ? paint('yellow', 'paused: npx redrive queues resume default')
    : paint('dim', isRunning ? 'Ctrl-C stops it, the next start continues' : 'stopped');
  const head = [
    `${paint('bold', 'Redrive demo')}  ${state}`,
    link === undefined || !isRunning ? '' : paint('cyan', link),
    ...summaryLines(screen, counts, named),
    '',
  ];
  const stopped = ['', ...wrapWords(`Stopped: ${waitingText(counts)}`, screen.columns)];
  const foot = [
    ...(isRunning ? [] : stopped),
    '',
    ...nextStepLines(screen, url, deadId, isRunning),
  ];
  // One row less than there is room for: the cursor stands below the picture.
  const taken = rowsOf([...head, ...foot], screen.columns) + 1;
  const room = Math.max(MIN_RECENT, screen.rows - taken);
  const lines = recent.lines(screen, room);
  const empty = isRunning ? Array(room - lines.length).fill('') : [];
  return [...head, ...lines, ...empty, ...foot];
}

/** A command that is longer than the window takes more than one row: it is never cut, because people copy it. */
function rowsOf(lines: readonly string[], columns: number): number {
  return lines.reduce((rows, line) => {
    const { length } = [...stripVTControlCharacters(line)];
    return rows + Math.max(1, Math.ceil(length / columns));
  }, 0);
}
