import type { Clock } from '@redrive/core';
import type { FullStore } from '@redrive/durable/store';
import type { Io } from '../terminal/io.ts';
import { breakerDocuments } from './breaker-documents.ts';
import { deadImport, nextStepLines } from './next-steps.ts';
import type { RecentLines } from './recent-lines.ts';
import { summaryLines } from './summary-lines.ts';

export interface ViewParts {
  readonly io: Io;
  readonly clock: Clock;
  readonly store: FullStore;
  readonly url: string;
  readonly recent: RecentLines;
}

const REDRAW_MS = 300;
const MIN_RECENT = 3;

/** Draws the state of the demo again and again in place, until stopped. Only for terminals. */
export function liveView(parts: ViewParts): () => Promise<void> {
  const { io, clock } = parts;
  let drawn = 0;
  let stopped = false;
  let drawing = draw();

  async function draw(): Promise<void> {
    // A store that is away for a moment leaves the picture as it was.
    const lines = await picture(parts).catch(() => undefined);
    if (lines !== undefined) {
      // Back to the first line of the picture before, and clear from there on.
      io.stdout(`${drawn === 0 ? '' : `\x1b[${drawn}A`}\r\x1b[0J${lines.join('\n')}\n`);
      drawn = lines.length;
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

async function picture({ io, store, url, recent }: ViewParts): Promise<string[]> {
  const { screen } = io;
  const { paint } = screen;
  const [counts, deadId, pauses, breakers] = await Promise.all([
    store.counts(),
    deadImport(store),
    store.pauses(),
    breakerDocuments(store),
  ]);
  const isPaused = pauses.some(({ scope, name }) => scope === 'queue' && name === 'default');
  const head = [
    isPaused
      ? `${paint('bold', 'Redrive demo')}  ${paint('yellow', 'paused: npx redrive queues resume default')}`
      : `${paint('bold', 'Redrive demo')}  ${paint('dim', 'Ctrl-C stops it, a second start goes on')}`,
    '',
    ...summaryLines(screen, counts, breakers),
    '',
  ];
  const foot = [
    '',
    paint('bold', 'Try this in another terminal, in this directory:'),
    ...nextStepLines(screen, url, deadId),
  ];
  // One line less than there is room for: the cursor stands below the picture.
  const room = Math.max(MIN_RECENT, screen.rows - head.length - foot.length - 1);
  const lines = recent.lines(screen, room);
  return [...head, ...lines, ...Array(room - lines.length).fill(''), ...foot];
}
